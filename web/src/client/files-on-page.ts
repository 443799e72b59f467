/** Files and directories that a visitor chose; they stay on the page. */
import type { WireSource } from "../protocol/source-kinds.ts";
import type { Wire } from "../session/kept-state.ts";
import { type FileGiver, serveFiles } from "./file-server.ts";

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

/** A source on its way to one worker. */
export interface Outgoing {
  readonly source: WireSource;
  /** Releases the page's files; may be called twice. */
  readonly release: () => void;
}

/** Returns the entry of a directory. */
export function directoryOnPage(path: string): ChosenFile {
  return { path, give: null };
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

/** Returns files as they travel: their paths, and the number of a server that sends the content. */
export function toOutgoing({ files, folder }: FilesOnPage, wire: Wire): Outgoing {
  const givers = files.map(({ give }) => give ?? refuse);
  const server = serveFiles(givers, wire);
  const listed = files.map(({ path, give }) => ({ path, isDirectory: give === null }));
  return {
    source: { kind: "files", files: listed, folder, server: server.server },
    release: server.close,
  };
}

function refuse(): never {
  throw new TypeError("A directory is not a file.");
}
