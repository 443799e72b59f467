/** Files and directories that a visitor chose; they stay on the page. */
import type { JoinedFile, WireSource } from "../protocol/source-kinds.ts";
import type { FileLine, Sendable, Wire } from "../session/sendable.ts";

/** A file, or a directory if `give` is null. */
export interface ChosenFile {
  readonly path: string;
  readonly give: FileGiver | null;
}

export interface FilesOnPage {
  readonly files: readonly ChosenFile[];
  /** The name of the folder if the visitor chose exactly one folder; else null. */
  readonly folder: string | null;
}

/** Returns the files of an input by their paths; a chosen folder's name is the first part. */
export function listChosenFiles(files: readonly File[]): FilesOnPage {
  const folders = new Set(files.map((file) => file.webkitRelativePath?.split("/", 1)[0]));
  const [folder] = folders;
  return {
    files: files.map((file) => ({
      path: file.webkitRelativePath || file.name,
      give: () => file,
    })),
    folder: folders.size === 1 && folder ? folder : null,
  };
}

/** A source whose paths travel; a server on the page sends the content that the worker wants. */
export class SendableFiles implements Sendable<WireSource> {
  readonly prepare: Sendable<WireSource>["prepare"];
  /** Empty until it is prepared. */
  #files: FilesOnPage = { files: [], folder: null };
  #server: Pick<FileLine, "server" | "close"> | undefined;

  /** Takes files, or a function that lists them. */
  constructor(given: FilesOnPage | ((withdrawn: AbortSignal) => Promise<FilesOnPage>)) {
    if (typeof given === "function") {
      this.prepare = async (withdrawn) => {
        this.#files = await given(withdrawn);
      };
    } else {
      this.#files = given;
    }
  }

  wire(wire: Wire): WireSource {
    this.release();
    const { files, folder } = this.#files;
    const givers = files.map(({ give }) => give ?? refuse);
    this.#server = serveFiles(givers, wire);
    const listed = files.map(({ path, give }) => ({ path, isDirectory: give === null }));
    return { kind: "files", files: listed, folder, server: this.#server.server };
  }

  release(): void {
    this.#server?.close();
  }
}

function refuse(): never {
  throw new TypeError("A directory is not a file.");
}

/** Returns a file; some browsers can give it only after a wait. */
export type FileGiver = () => File | Promise<File>;

/** More bytes are sent in several Blobs: a program's worker has to hold each as a whole. */
const MAX_JOINED_BYTES = 64 * 1024 * 1024;

interface Part extends JoinedFile {
  readonly content: Blob;
}

/**
 * Sends the requested files joined, with their sizes.
 *
 * Touches no file before the worker requests it: to clone a file or to read its size, a browser
 * goes to the disk while the page waits, half a millisecond each, half a minute for a large folder.
 */
export function serveFiles(
  files: readonly FileGiver[],
  wire: Wire,
): Pick<FileLine, "server" | "close"> {
  let isClosed = false;
  const send = (parts: readonly Part[]) => {
    const told = parts.map(({ index, sizeBytes, modifiedMs }) => ({
      index,
      sizeBytes,
      modifiedMs,
    }));
    try {
      const [first, ...others] = parts.map(({ content }) => content);
      const joined = first && others.length === 0 ? first : new Blob([first ?? "", ...others]);
      line.send({ joined, files: told });
    } catch {
      line.send({ joined: null, files: told });
    }
  };
  const line = wire.openFiles(async (indices) => {
    const looked = await Promise.all(indices.map((index) => lookAt(index, files[index])));
    if (isClosed) {
      return;
    }
    line.send({ joined: null, files: looked.filter((each) => !("content" in each)) });
    for (const group of groupsOf(looked.filter((each) => "content" in each))) {
      send(group);
    }
  });
  return {
    server: line.server,
    close() {
      isClosed = true;
      line.close();
    },
  };
}

/** Returns a file as a part, or only its index if it is gone, or is not a real file. */
async function lookAt(index: number, give: FileGiver | undefined): Promise<Part | JoinedFile> {
  try {
    const file = await give?.();
    if (file !== undefined) {
      const { size: sizeBytes, lastModified: modifiedMs } = file;
      if (sizeBytes === 0) {
        // A file that is gone from the disk looks empty until it is read.
        await file.arrayBuffer();
      }
      // Throws for what only looks like a file, which a Blob would take for text.
      Reflect.get(Blob.prototype, "size", file);
      return { index, sizeBytes, modifiedMs, content: file };
    }
  } catch {
    // The page can no longer read it.
  }
  return { index, sizeBytes: 0, modifiedMs: 0 };
}

function groupsOf(parts: readonly Part[]): Part[][] {
  const groups: Part[][] = [];
  let bytes = 0;
  for (const part of parts) {
    bytes += part.sizeBytes;
    const group = groups.at(-1);
    if (group === undefined || bytes > MAX_JOINED_BYTES) {
      groups.push([part]);
      bytes = part.sizeBytes;
    } else {
      group.push(part);
    }
  }
  return groups;
}
