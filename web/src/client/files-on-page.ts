/** Files and directories that a visitor chose, and that stay on the page. */
import type { WireSource } from "../protocol/messages.ts";
import { FileDesk, type FileGiver } from "./file-desk.ts";

/** A file, or a directory where `give` is null. */
export interface ChosenFile {
  readonly path: string;
  readonly give: FileGiver | null;
}

export interface FilesOnPage {
  readonly files: readonly ChosenFile[];
  /** The name of the folder, where one folder is all that was chosen; else null. */
  readonly folder: string | null;
}

/** A source on its way to the worker, and the files that it left behind. */
export interface Outgoing {
  readonly source: WireSource;
  /** To be closed when nobody wants the files any more. */
  readonly desk: FileDesk | null;
}

/** Returns an entry that has no file. */
export function directoryOnPage(path: string): ChosenFile {
  return { path, give: null };
}

/** Returns the files of an input by their paths, of which a folder's name is the first part. */
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

/** Returns files in the form that travels: their paths, and a desk that hands them over. */
export function toOutgoing({ files, folder }: FilesOnPage): Outgoing {
  const desk = new FileDesk(files.map(({ give }) => give ?? refuse));
  const listed = files.map(({ path, give }) => ({ path, isDirectory: give === null }));
  return { source: { kind: "files", files: listed, folder, desk: desk.counter }, desk };
}

function refuse(): never {
  throw new TypeError("A directory is no file.");
}
