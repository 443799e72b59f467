/** The runtime's files: `start.json` and what it names, read by the host if it can, else fetched. */
import { toBase64 } from "../lib/base64.ts";
import { isCount, isRecord, isStringRecord } from "../lib/checks.ts";

/**
 * Returns the file at an absolute address; null if this host does not have it.
 *
 * Rejects if the host has the file and cannot read it.
 */
export type AssetReader = (address: string) => Promise<Uint8Array<ArrayBuffer> | null>;

/** Browsers refuse some kinds of file under another type, and read some more slowly. */
const TYPES = new Map([
  ["json", "application/json"],
  ["mjs", "text/javascript"],
  ["wasm", "application/wasm"],
]);

/** Returns the file at an address as a response; null if there is no reader, or it has no such file. */
export async function findAsset(
  readAsset: AssetReader | undefined,
  address: string,
): Promise<Response | null> {
  const bytes = (await readAsset?.(address)) ?? null;
  return bytes === null ? null : responseOf(address, bytes);
}

/** Returns the file at an address as `fetch` does; `init` applies only if it has to be fetched. */
export async function fetchAsset(
  readAsset: AssetReader | undefined,
  address: string,
  init?: RequestInit,
): Promise<Response> {
  return (await findAsset(readAsset, address)) ?? fetch(address, init);
}

/** A file that is missing or damaged; the message is a clause that names it. */
export class AssetFault extends Error {}

/**
 * Returns the bytes of a file that has this integrity; rejects with `AssetFault`.
 *
 * @param name names the file in the message.
 * @param integrity `sha256-...`.
 */
export async function readIntact(
  readAsset: AssetReader | undefined,
  { name, address, integrity }: { name: string; address: string; integrity: string },
): Promise<Uint8Array<ArrayBuffer>> {
  // Where this place has no hashes, the browser's own check says less about a fault.
  const init = canCheck() ? {} : { integrity };
  const bytes = await bytesOf(name, fetchAsset(readAsset, address, init), async (response) => {
    return new Uint8Array(await response.arrayBuffer());
  });
  if (canCheck() && (await integrityOf(bytes)) !== integrity) {
    throw new AssetFault(`${name} is not the file that start.json names`);
  }
  return bytes;
}

/** Returns what `read` makes of the answer for a file; rejects with `AssetFault` for a failure. */
export async function bytesOf(
  name: string,
  answer: Promise<Response>,
  read: (response: Response) => Promise<Uint8Array<ArrayBuffer>>,
): Promise<Uint8Array<ArrayBuffer>> {
  let response: Response;
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    response = await answer;
    bytes = await read(response);
  } catch (cause) {
    throw new AssetFault(`${name} could not be fetched`, { cause });
  }
  if (!response.ok) {
    throw new AssetFault(`${name} answered ${response.status}`);
  }
  return bytes;
}

/** Tells whether this place can check a file by its hash. */
export function canCheck(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}

async function integrityOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return `sha256-${toBase64(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)))}`;
}

export function responseOf(address: string, bytes: Uint8Array<ArrayBuffer>): Response {
  const type = TYPES.get(address.slice(address.lastIndexOf(".") + 1)) ?? "application/octet-stream";
  return new Response(bytes, { headers: { "Content-Type": type } });
}

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
