/** The page's embedded files, requested by its worker over a port. */
import { isRecord } from "../../../lib/checks.ts";
import type { AssetReader } from "../../../protocol/asset-files.ts";

interface AssetRequest {
  readonly id: number;
  readonly address: string;
}

interface AssetReply {
  readonly id: number;
  /** The file; null if the page does not have it; a text that says why it cannot be read. */
  readonly content: Uint8Array<ArrayBuffer> | string | null;
}

/** Returns a reader that asks the other end of a port; inverse of `serveAssets`. */
export function requestAssetsOver(port: MessagePort): AssetReader {
  const waiting = new Map<number, (reply: AssetReply) => void>();
  let lastId = 0;
  port.addEventListener("message", ({ data }) => {
    if (isReply(data)) {
      waiting.get(data.id)?.(data);
      waiting.delete(data.id);
    }
  });
  port.start();
  return async (address) => {
    lastId += 1;
    const request: AssetRequest = { id: lastId, address };
    const reply = await new Promise<AssetReply>((resolve) => {
      waiting.set(request.id, resolve);
      port.postMessage(request);
    });
    if (typeof reply.content === "string") {
      throw new Error(reply.content);
    }
    return reply.content;
  };
}

/** Answers the requests that arrive at a port, as long as the other end exists. */
export function serveAssets(port: MessagePort, readAsset: AssetReader): void {
  port.addEventListener("message", async ({ data }) => {
    if (isRequest(data)) {
      const content = await readAsset(data.address).catch((error: unknown) =>
        error instanceof Error ? error.message : String(error),
      );
      port.postMessage({ id: data.id, content } satisfies AssetReply);
    }
  });
  port.start();
}

function isRequest(message: unknown): message is AssetRequest {
  return isRecord(message) && typeof message.id === "number" && typeof message.address === "string";
}

function isReply(message: unknown): message is AssetReply {
  return (
    isRecord(message) &&
    typeof message.id === "number" &&
    (message.content === null ||
      typeof message.content === "string" ||
      message.content instanceof Uint8Array)
  );
}
