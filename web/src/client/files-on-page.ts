/** Files and directories that a visitor chose; they stay on the page. */
import type { WireSource } from "../protocol/source-kinds.ts";
import type { FileLine, Sendable, Wire } from "../session/sendable.ts";
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
