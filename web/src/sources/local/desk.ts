/** The worker's side of the files that stay on the page. */
import { isCount, isRecord } from "../../protocol/checks.ts";
import { DESK_CLOSED, type DeskReply } from "../../protocol/messages.ts";
import { DeferredError } from "../tree.ts";

/** Returns a file by its place in the source's list; rejects with a `DeferredError`. */
export type AskDesk = (index: number) => Promise<{ readonly file: Blob; modifiedMs: number }>;

/** Opens the worker's end of a page's files. */
export function openDesk(counter: MessagePort): AskDesk {
  const waiting = new Map<number, (reply: DeskReply | typeof DESK_CLOSED) => void>();
  let isClosed = false;
  const settle = (index: number, reply: DeskReply | typeof DESK_CLOSED) => {
    waiting.get(index)?.(reply);
    waiting.delete(index);
  };
  const settleAll = (replyTo: (index: number) => DeskReply | typeof DESK_CLOSED) => {
    for (const index of [...waiting.keys()]) {
      settle(index, replyTo(index));
    }
  };
  counter.addEventListener("message", ({ data: reply }) => {
    if (reply === DESK_CLOSED) {
      isClosed = true;
      settleAll(() => DESK_CLOSED);
      counter.close();
    } else if (isRecord(reply) && isCount(reply.index)) {
      settle(reply.index, isDeskReply(reply) ? reply : noFile(reply.index));
    }
  });
  // Nobody can tell which file it was, and one that never comes must not be waited for.
  counter.addEventListener("messageerror", () => settleAll(noFile));
  counter.start();
  return async (index) => {
    const reply = await new Promise<DeskReply | typeof DESK_CLOSED>((resolve) => {
      if (isClosed) {
        resolve(DESK_CLOSED);
        return;
      }
      waiting.set(index, resolve);
      counter.postMessage(index);
    });
    if (reply === DESK_CLOSED) {
      throw new DeferredError("unreadable", "the page has let go of it, and of all of its tree");
    }
    if (reply.file === null) {
      const reason =
        "the browser can no longer read it; it was changed or moved, so choose it again";
      throw new DeferredError("unreadable", reason);
    }
    return { file: reply.file, modifiedMs: reply.modifiedMs };
  };
}

function noFile(index: number): DeskReply {
  return { index, file: null, modifiedMs: 0 };
}

function isDeskReply(reply: unknown): reply is DeskReply {
  return (
    isRecord(reply) &&
    isCount(reply.index) &&
    (reply.file === null || reply.file instanceof Blob) &&
    typeof reply.modifiedMs === "number"
  );
}
