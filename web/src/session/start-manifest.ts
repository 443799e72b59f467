/** `start.json` of the assets, which names the files of a start. */
import { isCount, isRecord, isStringRecord } from "../lib/checks.ts";
import { AssetFault } from "../protocol/asset-files.ts";

/** A file as start.json names it. */
export interface ImageFile {
  /** Relative to the assets. */
  readonly path: string;
  readonly bytes: number;
  /** In lower-case hexadecimal digits. */
  readonly sha256: string;
}

export interface StartManifest {
  /** Relative to the assets; each ends in a slash. */
  readonly folders: { readonly pyodide: string; readonly packages: string };
  /** By their paths, relative to the assets, the integrity of all that a start may run or read. */
  readonly files: Readonly<Record<string, string>>;
  readonly image: {
    readonly pyodideVersion: string;
    readonly fingerprint: number;
    readonly archives: Readonly<Record<string, string>>;
    readonly interpreter: ImageFile;
    readonly sideModule: ImageFile;
    readonly memory: ImageFile;
  } | null;
}

export type FetchFile = (path: string, init?: RequestInit) => Promise<Response>;

/** Returns the manifest; throws `AssetFault` if it is missing or not of this package. */
export async function fetchManifest(fetchFile: FetchFile): Promise<StartManifest> {
  // The one file whose content changes at the same address, so the browser has to ask the server
  // for it. Offline, the browser's copy is used.
  const response = await fetchFile("start.json", { cache: "no-cache" }).catch(() =>
    fetchFile("start.json", { cache: "force-cache" }),
  );
  if (!response.ok) {
    throw new AssetFault(`start.json answered ${response.status}`);
  }
  const manifest: unknown = await response.json().catch(() => null);
  if (!isManifest(manifest)) {
    throw new AssetFault("start.json is not that of this package");
  }
  return manifest;
}

function isManifest(manifest: unknown): manifest is StartManifest {
  return (
    isRecord(manifest) &&
    isRecord(manifest.folders) &&
    typeof manifest.folders.pyodide === "string" &&
    typeof manifest.folders.packages === "string" &&
    isStringRecord(manifest.files) &&
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
