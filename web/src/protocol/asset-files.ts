/** The runtime's files: read by the host if it can, else fetched. */
import { toBase64 } from "../lib/base64.ts";

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
  let response: Response;
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    // Where this place has no hashes, the browser's own check says less about a fault.
    response = await fetchAsset(readAsset, address, canCheck() ? {} : { integrity });
    bytes = new Uint8Array(await response.arrayBuffer());
  } catch (cause) {
    throw new AssetFault(`${name} could not be fetched`, { cause });
  }
  if (!response.ok) {
    throw new AssetFault(`${name} answered ${response.status}`);
  }
  if (canCheck() && (await integrityOf(bytes)) !== integrity) {
    throw new AssetFault(`${name} is not the file that start.json names`);
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
