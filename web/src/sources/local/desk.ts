/** The worker's side of the files that stay on the page. */
import { isCount, isRecord } from "../../protocol/checks.ts";
import type { DeskReply } from "../../protocol/messages.ts";
import { DeferredError } from "../tree.ts";

/** Returns a file by its place in the source's list; rejects with a `DeferredError`. */
export type AskDesk = (index: number) => Promise<{ readonly file: Blob; modifiedMs: number }>;

/** Opens the worker's end of a page's files. */
export function openDesk(counter: MessagePort): AskDesk {
  const waiting = new Map<number, (reply: DeskReply) => void>();
  counter.addEventListener("message", ({ data: reply }) => {
    if (isDeskReply(reply)) {
      waiting.get(reply.index)?.(reply);
      waiting.delete(reply.index);
    }
  });
  counter.start();
  return async (index) => {
    const { file, modifiedMs } = await new Promise<DeskReply>((resolve) => {
      waiting.set(index, resolve);
      counter.postMessage(index);
    });
    if (file === null) {
      const reason =
        "the browser can no longer read it; it was changed or moved, so choose it again";
      throw new DeferredError("unreadable", reason);
    }
    return { file, modifiedMs };
  };
}

function isDeskReply(reply: unknown): reply is DeskReply {
  return (
    isRecord(reply) &&
    isCount(reply.index) &&
    (reply.file === null || reply.file instanceof Blob) &&
    typeof reply.modifiedMs === "number"
  );
}
