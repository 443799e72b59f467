/** Requests files that stay on the page. */
import type { FilesReply } from "../../protocol/source-kinds.ts";
import { changingBlobAccess, type Place } from "../random-access.ts";
import type { FilesOpener, SourceHost } from "../source-context.ts";
import { DeferredError, LOST_FILE } from "../tree.ts";

/** Returns a file by its index in the source's list; rejects with a `DeferredError`. */
export type RequestFile = (index: number) => Promise<FileOfPage>;

interface FileOfPage {
  readonly place: Place;
  readonly modifiedMs: number;
}

/** Files of one message: the page looks at them without a pause. */
const MAX_REQUESTED_FILES = 64;

/** Returns what asks the page for the files of a server; files requested together travel together. */
export function requestFilesOver(
  openFiles: FilesOpener,
  server: number,
  host: Pick<SourceHost, "readBlob" | "readWholeBlob" | "prepareBlob">,
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
  const files = openFiles(server, (reply) => {
    if (reply === null) {
      isClosed = true;
      refuseAll(released);
      files.close();
    } else if (reply === "unreadable") {
      // The indices of an unreadable reply are unknown, so every request is refused.
      refuseAll(noFile);
    } else {
      for (const [index, outcome] of takeFiles(reply, host)) {
        settle(index, outcome);
      }
    }
  });
  const send = () => {
    while (unsent.length > 0) {
      files.ask(unsent.splice(0, MAX_REQUESTED_FILES));
    }
  };
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

function takeFiles(
  { joined, files }: FilesReply,
  host: Parameters<typeof requestFilesOver>[2],
): (readonly [number, Promise<FileOfPage>])[] {
  const accessTo = async (blob: Blob) => {
    await host.prepareBlob?.(blob);
    return changingBlobAccess(blob, host);
  };
  const access = joined === null ? noFile() : accessTo(joined).catch(noFile);
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
