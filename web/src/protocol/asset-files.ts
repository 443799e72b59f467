/** The runtime's files: read by the host if it can, else fetched. */

/**
 * Returns the file at an absolute address; null if this host does not have it.
 *
 * The bytes are trusted: they are not compared with the hash that a request names. Rejects if the
 * host has the file and cannot read it.
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
  const type = TYPES.get(address.slice(address.lastIndexOf(".") + 1)) ?? "application/octet-stream";
  return bytes === null ? null : new Response(bytes, { headers: { "Content-Type": type } });
}

/** Returns the file at an address as `fetch` does; `init` applies only if it has to be fetched. */
export async function fetchAsset(
  readAsset: AssetReader | undefined,
  address: string,
  init?: RequestInit,
): Promise<Response> {
  return (await findAsset(readAsset, address)) ?? fetch(address, init);
}
