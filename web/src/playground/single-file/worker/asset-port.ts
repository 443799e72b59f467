/** The page's embedded files, requested by its worker over a port. */
import type { AssetReader } from "../../../protocol/asset-files.ts";

/** The file; null if the page does not have it; a text that says why it cannot be read. */
type Reply = Uint8Array<ArrayBuffer> | string | null;

/** Returns a reader that asks the other end of a port; inverse of `serveAssets`. */
export function requestAssetsOver(port: MessagePort): AssetReader {
  return async (address) => {
    // Each reply has a channel of its own, so that nothing has to match it with its request.
    const { port1, port2 } = new MessageChannel();
    const reply = await new Promise<Reply>((resolve) => {
      port1.onmessage = ({ data }) => resolve(data);
      port.postMessage(address, [port2]);
    });
    port1.close();
    if (typeof reply === "string") {
      throw new Error(reply);
    }
    return reply;
  };
}

/** Answers the requests that arrive at a port, as long as the other end exists. */
export function serveAssets(port: MessagePort, readAsset: AssetReader): void {
  port.onmessage = async ({ data: address, ports: [replies] }) => {
    const reply: Reply = await readAsset(address).catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    );
    replies?.postMessage(reply);
  };
}
