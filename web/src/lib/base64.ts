/** Bytes as text, for the bridge, which takes text only. */

/** Bytes that one call turns into text: engines limit the number of arguments. */
const TEXT_BLOCK_BYTES = 8192;

export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.byteLength; at += TEXT_BLOCK_BYTES) {
    text += String.fromCharCode(...bytes.subarray(at, at + TEXT_BLOCK_BYTES));
  }
  return btoa(text);
}

export function fromBase64(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    bytes[at] = text.charCodeAt(at);
  }
  return bytes;
}
