/** The files of a start besides code: fetched, checked and compiled once for all clients of a page. */
import { withResolvers } from "../lib/promises.ts";
import {
  AssetFault,
  type AssetReader,
  bytesOf,
  canCheck,
  type FetchFile,
  fetchAsset,
  fetchManifest,
  type ImageFile,
  readIntact,
  type StartManifest,
} from "../protocol/asset-files.ts";
import type { ImageOrigin, SentParts, StartFolders } from "../protocol/start.ts";
import type { StartPhase } from "../protocol/start-report.ts";
import { Stopwatch } from "../protocol/stopwatch.ts";

/** The addresses of a start's files, and the image while it arrives. */
export interface StartPlan {
  readonly folders: StartFolders;
  readonly image: { readonly origin: ImageOrigin; readonly parts: SentParts } | null;
  /** Why there is no image; null if there is one. */
  readonly reason: string | null;
}

export interface StartFiles {
  readonly hasImage: boolean;
  readonly phases: readonly StartPhase[];
}

/** A start's files while they arrive; the first two promises never reject. */
export interface StartFetch {
  /** Resolves long before `files`. */
  readonly plan: Promise<StartPlan>;
  readonly files: Promise<StartFiles>;
  /** Resolves when the worker's own file is checked, if it is one of them; rejects with `AssetFault`. */
  readonly worker: Promise<void>;
  /** Makes the next start fetch again, because this one failed. */
  forget(): void;
}

const WORKER = "worker.js";

const fetched = new Map<string, StartFetch>();

/**
 * Fetches the files of an assets folder; each folder is fetched once in the life of a page.
 *
 * Never rejects: the worker reports each fault. A fetch without a whole image is not kept.
 */
export function fetchStartFiles(assets: string, readAsset?: AssetReader): StartFetch {
  const before = fetched.get(assets);
  if (before !== undefined) {
    return before;
  }
  const stopwatch = new Stopwatch();
  const plan = planStart(assets, (path, init) => fetchAsset(readAsset, `${assets}${path}`, init));
  const files = stopwatch
    .time("fetch", async () => {
      const { image } = await plan;
      return image !== null && isThere(image.parts);
    })
    .then((hasImage) => {
      if (!hasImage) {
        fetching.forget();
      }
      return { hasImage, phases: stopwatch.phases };
    });
  const worker = plan.then((planned) => checkWorker(planned.folders, readAsset));
  worker.catch(() => fetching.forget());
  const fetching: StartFetch = {
    plan,
    files,
    worker,
    forget() {
      if (fetched.get(assets) === fetching) {
        fetched.delete(assets);
      }
    },
  };
  fetched.set(assets, fetching);
  return fetching;
}

async function planStart(assets: string, fetchFile: FetchFile): Promise<StartPlan> {
  try {
    const { folders, files, image } = await fetchManifest(fetchFile);
    const unchecked = canCheck()
      ? null
      : "files can be checked on a page that came over https only";
    const reason = image === null ? "the assets have no image" : unchecked;
    const absolute = Object.entries(files).map(([path, integrity]) => [
      `${assets}${path}`,
      integrity,
    ]);
    return {
      folders: {
        assets,
        pyodide: `${assets}${folders.pyodide}`,
        packages: `${assets}${folders.packages}`,
        files: Object.fromEntries(absolute),
        fault: null,
      },
      image: image === null || reason !== null ? null : fetchImage(image, fetchFile),
      reason,
    };
  } catch (error) {
    const fault = error instanceof AssetFault ? error.message : "start.json could not be fetched";
    return {
      folders: { assets, pyodide: assets, packages: assets, files: {}, fault },
      image: null,
      reason: fault,
    };
  }
}

async function checkWorker(
  { assets, files }: StartFolders,
  readAsset: AssetReader | undefined,
): Promise<void> {
  const address = `${assets}${WORKER}`;
  const integrity = files[address];
  // A reader is that of a program's thread or of the single file, whose workers are other files.
  if (integrity !== undefined && readAsset === undefined) {
    await readIntact(readAsset, { name: WORKER, address, integrity });
  }
}

function fetchImage(
  { pyodideVersion, fingerprint, archives, ...files }: NonNullable<StartManifest["image"]>,
  fetchFile: FetchFile,
): NonNullable<StartPlan["image"]> {
  // Compiles and checks at the same time; the code is used only after the check.
  const compiled = async (file: ImageFile, fetching: Promise<Uint8Array<ArrayBuffer>>) => {
    const bytes = await fetching;
    // Chromium sends no compiled module to the worker of a page without an origin. A page that may
    // not compile can have a worker that may: the policy of a worker comes with its own file.
    const code =
      globalThis.origin === "null" ? bytes : WebAssembly.compile(bytes).catch(() => bytes);
    // A damaged file may not even compile, and the check says more.
    const [sent, checked] = await Promise.allSettled([code, requireHash(file, bytes)]);
    for (const outcome of [checked, sent]) {
      if (outcome.status === "rejected") {
        throw outcome.reason;
      }
    }
    return code;
  };
  // First the interpreter, since its start takes longest and needs the other parts last. If all
  // parts were fetched at the same time, each would arrive when the last one does; if the others
  // were asked for behind it, the link would be idle until they come.
  const half = withResolvers();
  const interpreter = fetchBytes(files.interpreter, fetchFile, half.resolve).finally(half.resolve);
  const fetchNext = (file: ImageFile) => half.promise.then(() => fetchBytes(file, fetchFile));
  const memory = fetchNext(files.memory);
  const parts = {
    interpreter: compiled(files.interpreter, interpreter),
    sideModule: compiled(files.sideModule, fetchNext(files.sideModule)),
    memory: memory.then(async (bytes) => {
      await requireHash(files.memory, bytes);
      return bytes;
    }),
  };
  return { origin: { pyodideVersion, fingerprint, archives }, parts };
}

function isThere(parts: SentParts): Promise<boolean> {
  return Promise.all(Object.values(parts)).then(
    () => true,
    () => false,
  );
}

/** Returns a file's bytes; calls `onHalf` when half of them have arrived. */
function fetchBytes(
  { path, bytes }: ImageFile,
  fetchFile: FetchFile,
  onHalf: () => void = () => undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  return bytesOf(path, fetchFile(path), ({ body }) => readBody(body, bytes, onHalf));
}

/** Returns a body; of a longer one than expected, only one byte more. */
async function readBody(
  body: Response["body"],
  expectedBytes: number,
  onHalf: () => void,
): Promise<Uint8Array<ArrayBuffer>> {
  // Known in advance: a browser would collect the pieces and then copy them into one.
  const bytes = new Uint8Array(expectedBytes);
  const reader = body?.getReader();
  let length = 0;
  for (;;) {
    const { value } = (await reader?.read()) ?? {};
    if (value === undefined) {
      return length === expectedBytes ? bytes : bytes.slice(0, length);
    }
    if (length + value.length > expectedBytes) {
      await reader?.cancel();
      return new Uint8Array(expectedBytes + 1);
    }
    bytes.set(value, length);
    length += value.length;
    if (length * 2 >= expectedBytes) {
      onHalf();
    }
  }
}

async function requireHash(file: ImageFile, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  if (bytes.byteLength !== file.bytes || (await sha256(bytes)) !== file.sha256) {
    throw new AssetFault(`${file.path} is not the file that start.json names`);
  }
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
