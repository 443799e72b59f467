/** Requests files that stay on the page. */
import { isCount, isRecord } from "../../lib/checks.ts";
import { FILES_CLOSED, type FilesReply, type JoinedFile } from "../../protocol/source-kinds.ts";
import { type BlobReaders, changingBlobAccess, type Place } from "../random-access.ts";
import type { BlobTaker } from "../source-context.ts";
import { DeferredError, LOST_FILE } from "../tree.ts";

/** Returns a file by its index in the source's list; rejects with a `DeferredError`. */
export type RequestFile = (index: number) => Promise<FileOfPage>;

interface FileOfPage {
  readonly place: Place;
  readonly modifiedMs: number;
}

/** Files of one message: the page looks at them without a pause. */
const MAX_REQUESTED_FILES = 64;

/** Opens the worker's end of the page's `FileServer`; files requested together travel together. */
export function requestFilesOver(
  port: MessagePort,
  takeBlob: BlobTaker,
  readers: BlobReaders,
): RequestFile {
  const waiting = new Map<number, (outcome: Promise<FileOfPage>) => void>();
  const unsent: number[] = [];
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
  const send = () => {
    while (unsent.length > 0) {
      port.postMessage(unsent.splice(0, MAX_REQUESTED_FILES));
    }
  };
  port.addEventListener("message", ({ data: reply }) => {
    if (reply === FILES_CLOSED) {
      isClosed = true;
      refuseAll(released);
      port.close();
    } else if (isFilesReply(reply)) {
      for (const [index, outcome] of takeFiles(reply, takeBlob, readers)) {
        settle(index, outcome);
      }
    } else {
      refuseAll(noFile);
    }
  });
  // The indices of an unreadable reply are unknown, so every request is refused.
  port.addEventListener("messageerror", () => refuseAll(noFile));
  port.start();
  return (index) => {
    if (isClosed) {
      return released();
    }
    return new Promise((resolve) => {
      waiting.set(index, resolve);
      unsent.push(index);
      if (unsent.length === 1) {
        queueMicrotask(send);
      }
    });
  };
}

/** Returns the outcome for each file of a reply, by its index. */
function takeFiles(
  { joined, files }: FilesReply,
  takeBlob: BlobTaker,
  readers: BlobReaders,
): (readonly [number, Promise<FileOfPage>])[] {
  // Taken even if the requests were abandoned: otherwise the Blob would stay for good.
  const accessTo = (blob: Blob) => changingBlobAccess(blob, readers);
  const access = joined === null ? noFile() : takeBlob(joined).then(accessTo, noFile);
  access.catch(() => undefined);
  let start = 0;
  return files.map(({ index, sizeBytes, modifiedMs }) => {
    const span = { start, end: start + sizeBytes };
    start = span.end;
    const outcome = access.then((access) => ({ place: { access, span }, modifiedMs }));
    outcome.catch(() => undefined);
    return [index, outcome] as const;
  });
}

async function released(): Promise<never> {
  throw new DeferredError("unreadable", "the page has let go of it, and of all of its tree");
}

async function noFile(): Promise<never> {
  throw new DeferredError("unreadable", LOST_FILE);
}

function isFilesReply(reply: unknown): reply is FilesReply {
  return (
    isRecord(reply) &&
    (reply.joined === null || isCount(reply.joined)) &&
    Array.isArray(reply.files) &&
    reply.files.every(isJoinedFile)
  );
}

function isJoinedFile(file: unknown): file is JoinedFile {
  return (
    isRecord(file) &&
    isCount(file.index) &&
    isCount(file.sizeBytes) &&
    typeof file.modifiedMs === "number"
  );
}
