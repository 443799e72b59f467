/** Python's decompressors, over the bridge. */
import { fromBase64, toBase64 } from "../lib/base64.ts";
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
