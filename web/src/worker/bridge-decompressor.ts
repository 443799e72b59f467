/** Python's decompressors, over the bridge. */
import type { Decompressor, DecompressorFormat } from "../sources/source-context.ts";
import type { Bridge } from "./bridge.ts";
import { askBridge } from "./bridge-client.ts";

/** Opens a decompressor in the interpreter; bytes cross as base64, since the bridge takes text. */
export function openBridgeDecompressor(bridge: Bridge, format: DecompressorFormat): Decompressor {
  const { stream } = askBridge(bridge, "openDecompressor", { format });
  let state = { needsInput: true, isComplete: false };
  let compressed: string | null = null;
  return {
    push(bytes) {
      compressed = toBase64(bytes);
      state = { needsInput: false, isComplete: false };
    },
    pull(maxBytes) {
      const params = { stream, compressed, maxBytes };
      compressed = null;
      const { inflated, ...after } = askBridge(bridge, "decompress", params);
      state = after;
      return fromBase64(inflated);
    },
    get needsInput() {
      return state.needsInput;
    },
    get isComplete() {
      return state.isComplete;
    },
    close() {
      askBridge(bridge, "closeDecompressor", { stream });
    },
  };
}

/** Bytes that one call turns into text: engines limit the number of arguments. */
const TEXT_BLOCK_BYTES = 8192;

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.byteLength; at += TEXT_BLOCK_BYTES) {
    text += String.fromCharCode(...bytes.subarray(at, at + TEXT_BLOCK_BYTES));
  }
  return btoa(text);
}

function fromBase64(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    bytes[at] = text.charCodeAt(at);
  }
  return bytes;
}
