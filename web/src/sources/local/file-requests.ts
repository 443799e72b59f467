/** Requests files that stay on the page. */
import { isCount, isRecord } from "../../lib/checks.ts";
import { FILES_CLOSED, type FileReply } from "../../protocol/source-kinds.ts";
import type { BlobTaker } from "../source-context.ts";
import { DeferredError } from "../tree.ts";
import { LOST_FILE } from "./lost-file.ts";

/** Returns a file by its index in the source's list; rejects with a `DeferredError`. */
export type RequestFile = (index: number) => Promise<FileOfPage>;

interface FileOfPage {
  readonly file: Blob;
  readonly modifiedMs: number;
}

/** Opens the worker's end of the page's `FileServer`. */
export function requestFilesOver(port: MessagePort, takeBlob: BlobTaker): RequestFile {
  const waiting = new Map<number, (outcome: Promise<FileOfPage>) => void>();
  let isClosed = false;
  const settle = (index: number, outcome: Promise<FileOfPage>) => {
    waiting.get(index)?.(outcome);
    waiting.delete(index);
  };
  const refuseAll = (refuse: () => Promise<never>) => {
    for (const index of [...waiting.keys()]) {
      settle(index, refuse());
    }
  };
  port.addEventListener("message", ({ data: reply }) => {
    if (reply === FILES_CLOSED) {
      isClosed = true;
      refuseAll(released);
      port.close();
    } else if (isRecord(reply) && isCount(reply.index)) {
      const outcome = isFileReply(reply) ? takeFile(reply, takeBlob) : noFile();
      // Taken even if the request was abandoned: otherwise the Blob would stay for good.
      outcome.catch(() => undefined);
      settle(reply.index, outcome);
    }
  });
  // The index of an unreadable reply is unknown, so every request is refused.
  port.addEventListener("messageerror", () => refuseAll(noFile));
  port.start();
  return (index) => {
    if (isClosed) {
      return released();
    }
    return new Promise((resolve) => {
      waiting.set(index, resolve);
      port.postMessage(index);
    });
  };
}

async function takeFile(
  { file: handle, modifiedMs }: FileReply,
  takeBlob: BlobTaker,
): Promise<FileOfPage> {
  const file = handle === null ? noFile() : takeBlob(handle).catch(noFile);
  return { file: await file, modifiedMs };
}

async function released(): Promise<never> {
  throw new DeferredError("unreadable", "the page has let go of it, and of all of its tree");
}

async function noFile(): Promise<never> {
  throw new DeferredError("unreadable", LOST_FILE);
}

function isFileReply(reply: unknown): reply is FileReply {
  return (
    isRecord(reply) &&
    isCount(reply.index) &&
    (reply.file === null || isCount(reply.file)) &&
    typeof reply.modifiedMs === "number"
  );
}
