/** The files of a start besides code: fetched, checked and compiled once for all clients of a page. */

import { isCount, isRecord, isStringRecord } from "../lib/checks.ts";
import { type AssetReader, fetchAsset } from "../protocol/asset-files.ts";
import type { ImageOrigin, SentParts, StartFolders } from "../protocol/start.ts";
import type { StartPhase } from "../protocol/start-report.ts";
import { Stopwatch } from "../protocol/stopwatch.ts";

/** Where a start's files lie, and the image while it arrives. */
export interface StartPlan {
  readonly folders: StartFolders;
  readonly image: (ImageOrigin & { readonly parts: SentParts }) | null;
  /** Why there is no image; null if there is one. */
  readonly reason: string | null;
}

/** The outcome of a fetch. */
export interface StartFiles {
  readonly hasImage: boolean;
  readonly phases: readonly StartPhase[];
}

/** A file as start.json names it. */
interface ImageFile {
  /** Relative to the assets. */
  readonly path: string;
  readonly bytes: number;
  /** In lower-case hexadecimal digits. */
  readonly sha256: string;
}

/** `start.json` in the assets. */
interface StartManifest {
  /** Relative to the assets; each ends in a slash. */
  readonly folders: { readonly pyodide: string; readonly packages: string };
  readonly image: {
    readonly pyodideVersion: string;
    readonly fingerprint: number;
    readonly archives: Readonly<Record<string, string>>;
    readonly interpreter: ImageFile;
    readonly sideModule: ImageFile;
    readonly memory: ImageFile;
  } | null;
}

/** A start's files while they arrive. Neither promise rejects. */
export interface StartFetch {
  /** Resolves long before `files`. */
  readonly plan: Promise<StartPlan>;
  readonly files: Promise<StartFiles>;
  /** Makes the next start fetch again, because this one failed. */
  forget(): void;
}

/** Fetches a file of the assets by its relative path. */
type FetchFile = (path: string, init?: RequestInit) => Promise<Response>;

const fetched = new Map<string, StartFetch>();

/**
 * Fetches the files of an assets folder; each folder is fetched once in the life of a page.
 *
 * Never rejects: the image is left out if a file of it cannot be fetched, and the start from the
 * packages then reports any fault of the folder. A fetch without an image is not kept.
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
  const fetching: StartFetch = {
    plan,
    files,
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
    const { folders, image } = await fetchManifest(fetchFile);
    const reason = image === null ? "the assets have no image" : whyUnchecked();
    return {
      folders: {
        assets,
        pyodide: `${assets}${folders.pyodide}`,
        packages: `${assets}${folders.packages}`,
      },
      image: image === null || reason !== null ? null : fetchImage(image, fetchFile),
      reason,
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { folders: { assets, pyodide: assets, packages: assets }, image: null, reason };
  }
}

function fetchImage(
  { pyodideVersion, fingerprint, archives, ...files }: NonNullable<StartManifest["image"]>,
  fetchFile: FetchFile,
): NonNullable<StartPlan["image"]> {
  // Compiles and checks at the same time; the code is used only after the check.
  const compiled = async (file: ImageFile, fetching: Promise<Uint8Array<ArrayBuffer>>) => {
    const bytes = await fetching;
    // Chromium sends no compiled module to the worker of a page without an origin.
    const code = globalThis.origin === "null" ? bytes : WebAssembly.compile(bytes);
    const [sent] = await Promise.all([code, requireHash(file, bytes)]);
    return sent;
  };
  const interpreter = fetchBytes(files.interpreter, fetchFile);
  // First the interpreter alone, since its start takes longest and needs the other parts last. If
  // all parts were fetched at the same time, each would arrive when the last one does.
  const fetchNext = (file: ImageFile) =>
    interpreter.catch(() => undefined).then(() => fetchBytes(file, fetchFile));
  const memory = fetchNext(files.memory);
  const parts = {
    interpreter: compiled(files.interpreter, interpreter),
    sideModule: compiled(files.sideModule, fetchNext(files.sideModule)),
    memory: memory.then(async (bytes) => {
      await requireHash(files.memory, bytes);
      return bytes;
    }),
  };
  return { pyodideVersion, fingerprint, archives, parts };
}

function isThere(parts: SentParts): Promise<boolean> {
  return Promise.all(Object.values(parts)).then(
    () => true,
    () => false,
  );
}

async function fetchManifest(fetchFile: FetchFile): Promise<StartManifest> {
  // The one file whose content changes at the same address, so the browser has to ask the server
  // for it. Offline, the browser's copy is used.
  const response = await fetchFile("start.json", { cache: "no-cache" }).catch(() =>
    fetchFile("start.json", { cache: "force-cache" }),
  );
  if (!response.ok) {
    throw new Error(`start.json answered ${response.status}`);
  }
  const manifest: unknown = await response.json();
  if (!isManifest(manifest)) {
    throw new Error("start.json is not that of this package");
  }
  return manifest;
}

async function fetchBytes(file: ImageFile, fetchFile: FetchFile): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetchFile(file.path);
  if (!response.ok) {
    throw new Error(`${file.path} answered ${response.status}`);
  }
  return new Uint8Array(await response.arrayBuffer());
}

async function requireHash(file: ImageFile, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  if (bytes.byteLength !== file.bytes || (await sha256(bytes)) !== file.sha256) {
    throw new Error(`${file.path} is not the file that start.json names`);
  }
}

/** Returns why this page cannot check a file by its hash, or null if it can. */
function whyUnchecked(): string | null {
  const isChecked = globalThis.crypto?.subtle !== undefined;
  return isChecked ? null : "files can be checked on a page that came over https only";
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function isManifest(manifest: unknown): manifest is StartManifest {
  return (
    isRecord(manifest) &&
    isRecord(manifest.folders) &&
    typeof manifest.folders.pyodide === "string" &&
    typeof manifest.folders.packages === "string" &&
    (manifest.image === null ||
      (isRecord(manifest.image) &&
        typeof manifest.image.pyodideVersion === "string" &&
        isCount(manifest.image.fingerprint) &&
        isStringRecord(manifest.image.archives) &&
        [manifest.image.interpreter, manifest.image.sideModule, manifest.image.memory].every(
          isImageFile,
        )))
  );
}

function isImageFile(file: unknown): file is ImageFile {
  return (
    isRecord(file) &&
    typeof file.path === "string" &&
    isCount(file.bytes) &&
    typeof file.sha256 === "string"
  );
}
