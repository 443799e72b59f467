/** What a start needs besides code: fetched, checked and compiled once for all clients of a page. */
import { isCount, isRecord } from "../protocol/checks.ts";
import type { StartFolders, StartImage, StartPhase } from "../protocol/start.ts";
import { Stopwatch } from "../protocol/stopwatch.ts";

/** The files of a start, or why there is no image among them. */
export interface StartFiles {
  readonly folders: StartFolders;
  readonly image: StartImage | null;
  /** Why there is no image; null where there is one. */
  readonly reason: string | null;
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
    readonly interpreter: ImageFile;
    readonly sideModule: ImageFile;
    readonly memory: ImageFile;
  } | null;
}

/** A start's files on their way. Neither promise rejects. */
export interface StartFetch {
  /** Known long before the files are there. */
  readonly folders: Promise<StartFolders>;
  readonly files: Promise<StartFiles>;
}

const fetched = new Map<string, StartFetch>();

/**
 * Fetches the files of an assets folder; each folder is fetched once in the life of a page.
 *
 * Never rejects: what cannot be had is left out, and the start from the packages tells what is
 * wrong with the folder, if anything is. Nothing is kept of a fetch that brought no image.
 */
export function fetchStartFiles(assets: string): StartFetch {
  const before = fetched.get(assets);
  if (before !== undefined) {
    return before;
  }
  let tellFolders: (folders: StartFolders) => void = () => undefined;
  const folders = new Promise<StartFolders>((resolve) => {
    tellFolders = resolve;
  });
  const files = fetchAnew(assets, tellFolders);
  const fetching = { folders, files };
  fetched.set(assets, fetching);
  files.then(({ folders, image }) => {
    tellFolders(folders);
    if (image === null) {
      fetched.delete(assets);
    }
  });
  return fetching;
}

async function fetchAnew(
  assets: string,
  tellFolders: (folders: StartFolders) => void,
): Promise<StartFiles> {
  const stopwatch = new Stopwatch();
  let folders: StartFolders = { assets, pyodide: assets, packages: assets };
  try {
    const image = await stopwatch.time("fetch", async () => {
      const manifest = await fetchManifest(assets);
      folders = {
        assets,
        pyodide: `${assets}${manifest.folders.pyodide}`,
        packages: `${assets}${manifest.folders.packages}`,
      };
      tellFolders(folders);
      return manifest.image === null ? null : fetchImage(assets, manifest.image);
    });
    const reason = image === null ? "the assets have no image" : null;
    return { folders, image, reason, phases: stopwatch.phases };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { folders, image: null, reason, phases: stopwatch.phases };
  }
}

async function fetchImage(
  assets: string,
  { pyodideVersion, fingerprint, ...files }: NonNullable<StartManifest["image"]>,
): Promise<StartImage> {
  const compiled = async (file: ImageFile) => WebAssembly.compile(await fetchFile(assets, file));
  const [interpreter, sideModule, memory] = await Promise.all([
    compiled(files.interpreter),
    compiled(files.sideModule),
    fetchFile(assets, files.memory),
  ]);
  return { interpreter, sideModule, memory, pyodideVersion, fingerprint };
}

async function fetchManifest(assets: string): Promise<StartManifest> {
  // The one file whose address stays while its content changes.
  const response = await fetch(`${assets}start.json`, { cache: "no-cache" });
  if (!response.ok) {
    throw new Error(`start.json answered ${response.status}`);
  }
  const manifest: unknown = await response.json();
  if (!isManifest(manifest)) {
    throw new Error("start.json is not that of this package");
  }
  return manifest;
}

async function fetchFile(assets: string, file: ImageFile): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(`${assets}${file.path}`);
  if (!response.ok) {
    throw new Error(`${file.path} answered ${response.status}`);
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.byteLength !== file.bytes || (await sha256(bytes)) !== file.sha256) {
    throw new Error(`${file.path} is not the file that start.json names`);
  }
  return bytes;
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  // Missing on a page that came over plain http from another machine: then the packages are used.
  if (globalThis.crypto?.subtle === undefined) {
    throw new Error("files can be checked on a page that came over https only");
  }
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
