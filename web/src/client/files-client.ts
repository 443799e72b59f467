/** Methods that show a page its trees without a tool: their entries, and a file's content. */
import { TreeglassError } from "../protocol/errors.ts";
import type { EntryColumns, ListEntriesParams, ReadFileParams } from "../protocol/files.ts";
import { copyOf } from "../protocol/options.ts";
import { plain } from "../session/sendable.ts";
import type { ClientSession } from "../session/session.ts";
import { ChangesClient } from "./changes-client.ts";

/** An entry of a tree. */
export interface TreeEntry {
  /** The virtual path. */
  readonly path: string;
  /** A link is a `symlink`, wherever it leads. */
  readonly kind: "file" | "directory" | "symlink" | "other";
  /** Null of what is no file. */
  readonly sizeBytes: number | null;
}

/** One page of a listing. */
export interface EntryPage {
  /** In the order of their names, each directory before its entries. */
  readonly entries: readonly TreeEntry[];
  /** The value of `after` for the next page; null if this page is the last. */
  readonly next: string | null;
  /** The directories below the listed one that cannot be listed. */
  readonly unreadable: readonly string[];
}

/** A piece of a file. */
export interface FilePiece {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly offsetBytes: number;
  /** The size of the whole file. */
  readonly sizeBytes: number;
  /** True if no byte of the file follows this piece. */
  readonly isComplete: boolean;
}

/**
 * The part of a client that shows the trees to a person.
 *
 * It shows what the tools see, with all that they propose to change. Hidden and ignored entries
 * are there too, since no tool's policy applies.
 */
export class FilesClient extends ChangesClient {
  readonly #session: ClientSession;

  /** @internal */
  constructor(session: ClientSession) {
    super(session);
    this.#session = session;
  }

  /**
   * Lists a directory, or with `recursive` all below it, in pages of at most `limit` entries:
   * 10,000 by default, 100,000 at most.
   *
   * Rejects with `PathUnreadable` if the path is not there or is no directory.
   */
  async listEntries(
    path: string,
    options: Omit<ListEntriesParams, "path"> = {},
  ): Promise<EntryPage> {
    const params = copyOf({ ...options, path });
    const columns = await this.#session.send("listEntries", plain(params));
    return { entries: entriesOf(columns), next: columns.next, unreadable: columns.unreadable };
  }

  /**
   * Reads a file from `offsetBytes` on, at most `maxBytes`: 1 MiB by default, 16 MiB at most.
   *
   * Links are followed. Rejects with `PathUnreadable` if the path is not there, is no file, or its
   * content cannot be read: an archive may be damaged, or an address may not answer.
   */
  async readFile(path: string, options: Omit<ReadFileParams, "path"> = {}): Promise<FilePiece> {
    const params = copyOf({ ...options, path });
    const { bytes, sizeBytes } = await this.#session.send("readFile", plain(params));
    const offsetBytes = params.offsetBytes ?? 0;
    const isComplete = offsetBytes + bytes.byteLength >= sizeBytes;
    return { bytes, offsetBytes, sizeBytes, isComplete };
  }
}

const KINDS: Readonly<Record<string, TreeEntry["kind"]>> = {
  f: "file",
  d: "directory",
  l: "symlink",
  o: "other",
};

function entriesOf({ paths, kinds, sizes }: EntryColumns): readonly TreeEntry[] {
  return paths.map((path, index) => {
    const kind = KINDS[kinds.charAt(index)];
    if (kind === undefined) {
      throw new TreeglassError("WorkerFailed", `The worker listed ${path} as of no known kind.`);
    }
    return { path, kind, sizeBytes: sizes[index] ?? null };
  });
}
