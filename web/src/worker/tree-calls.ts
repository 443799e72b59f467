/** The mounted trees as functions for the wheel, which asks for a directory or a file at once. */
import type { ManyFiles, WholeFile } from "./bulk-reader.ts";
import type { CallReads, Place, TreeReader } from "./tree-reader.ts";
import { ERRNO, MODE, type Status, TreeError, typeOf } from "./tree-status.ts";

/** Away from the interpreter's own files: the wheel tells a tree's path by this beginning. */
const MOUNTS_DIRECTORY = "/treeglass/mounts";

const LETTERS: ReadonlyMap<number, string> = new Map([
  [MODE.FILE, "f"],
  [MODE.DIRECTORY, "d"],
  [MODE.SYMLINK, "l"],
  [MODE.DEVICE, "o"],
]);

/** The status of an entry that has none. */
const NO_STATUS = "-1 0";

/** A file that the wheel reads in one block needs no identity. */
const SMALL_FILE_BYTES = 1024 * 1024;

const identities = new WeakMap<object, number>();
let lastIdentity = 0;

function identityOf(content: object): number {
  let identity = identities.get(content);
  if (identity === undefined) {
    lastIdentity += 1;
    identity = lastIdentity;
    identities.set(content, identity);
  }
  return identity;
}

/** Returns nanoseconds since 1970, which may be more than a number holds. */
function timeOf({ modifiedMs, modifiedNs }: Status): string {
  return modifiedNs === 0
    ? `${modifiedMs}000000`
    : `${BigInt(modifiedMs) * 1_000_000n + BigInt(modifiedNs)}`;
}

/**
 * The functions that `treeglass.workspace.embedder` documents as `EmbedderTrees`, over trees by their
 * internal directories.
 *
 * An entry that cannot be read is the number of its error: an exception costs more, and Python would
 * not take it for an `OSError`.
 */
export class TreeCalls {
  readonly directory = `${MOUNTS_DIRECTORY}/`;
  readonly #trees: ReadonlyMap<string, TreeReader>;
  readonly #reads: CallReads;
  /** Tells whether the present run does not count, since another one follows a wait. */
  readonly missing: () => boolean;

  constructor(trees: ReadonlyMap<string, TreeReader>, reads: CallReads, missing: () => boolean) {
    this.#trees = trees;
    this.#reads = reads;
    this.missing = missing;
  }

  list(path: string): string | number {
    return this.#answer(path, (reader, at) => {
      let letters = "";
      let names = "";
      for (const [name, entry] of reader.list(at)) {
        letters += LETTERS.get(typeOf(entry)) ?? "o";
        names += `/${name}`;
      }
      return letters + names;
    });
  }

  look(path: string): string | number {
    return this.#answer(path, (reader, at) => {
      const { lasting, mode, sizeBytes, modifiedMs, modifiedNs } = reader.status(at);
      const isLarge = lasting !== null && sizeBytes > SMALL_FILE_BYTES;
      const identity = isLarge ? identityOf(lasting) : 0;
      return `${mode} ${sizeBytes} ${modifiedMs} ${modifiedNs} ${identity}`;
    });
  }

  times(path: string, names: string): string | number {
    return this.#answer(path, (reader, at) => {
      const told = (name: string) =>
        orElse(() => timeOf(reader.status(childOf(reader, at, name))), "-");
      return names.split("/").map(told).join(" ");
    });
  }

  statuses(paths: string): string {
    let directory: string | null = null;
    let found: { readonly reader: TreeReader; readonly at: Place } | number = ERRNO.ENOENT;
    const told = (path: string): string => {
      const end = path.lastIndexOf("/");
      // Found once: the paths of one directory follow one another.
      if (path.slice(0, end) !== directory) {
        directory = path.slice(0, end);
        found = this.#answer(directory, (reader, at) => ({ reader, at }));
      }
      if (typeof found === "number") {
        return NO_STATUS;
      }
      const { reader, at } = found;
      return orElse(() => {
        const status = reader.status(childOf(reader, at, path.slice(end + 1)));
        return `${status.sizeBytes} ${timeOf(status)}`;
      }, NO_STATUS);
    };
    return paths.split("\0").map(told).join(" ");
  }

  link(path: string): string | number {
    return this.#answer(path, (reader, at) => reader.target(at));
  }

  read(path: string, start: number, end: number): Uint8Array | number {
    return this.#answer(path, (reader, at) => reader.read(at, start, end));
  }

  gather(paths: string, maxBytes: number): ManyFiles {
    const chosen = paths.split("\0");
    // This run of the call does not count, since another one follows the wait.
    return this.missing()
      ? { sizes: chosen.map(() => 0).join(" "), bytes: new Uint8Array() }
      : this.#reads.bulk.read(
          chosen.map((path) => this.#wholeFile(path)),
          maxBytes,
        );
  }

  want(paths: string, maxFiles: number, maxBytes: number): number {
    this.#reads.view.expectAll();
    const wanted = paths === "" ? [] : paths.split("\0");
    let files = 0;
    let bytes = 0;
    for (const [index, path] of wanted.entries()) {
      const fetchedBytes = this.#expect(path);
      if (fetchedBytes === null) {
        continue;
      }
      files += 1;
      bytes += fetchedBytes;
      if (files > maxFiles || bytes > maxBytes) {
        return index;
      }
      // Notes that it is missing.
      this.read(path, 0, 1);
    }
    this.#reads.bulk.readExpected(this.#reads.view);
    return wanted.length;
  }

  /**
   * Expects a file to be read; returns how many bytes are fetched for it, or null if none are.
   *
   * An entry that cannot be read costs nothing; the call meets its error.
   */
  #expect(path: string): number | null {
    const fetched = this.#answer(path, (reader, at) => {
      const whole = reader.wholeFile(at);
      if (whole !== null) {
        this.#reads.bulk.expect(whole.file);
      }
      return { bytes: reader.fetchedBytes(at) };
    });
    return typeof fetched === "number" ? null : fetched.bytes;
  }

  #wholeFile(path: string): WholeFile | null {
    const found = this.#answer(path, (reader, at) => ({ file: reader.wholeFile(at) }));
    return typeof found === "number" ? null : found.file;
  }

  #answer<Answer>(path: string, ask: (reader: TreeReader, at: Place) => Answer): Answer | number {
    try {
      const [number = "", ...names] = path.slice(this.directory.length).split("/");
      const reader = this.#trees.get(`${MOUNTS_DIRECTORY}/${number}`);
      return reader === undefined ? ERRNO.ENOENT : ask(reader, placeIn(reader, names));
    } catch (error) {
      if (error instanceof TreeError) {
        return error.errno;
      }
      throw error;
    }
  }
}

/** Follows no link: the wheel has followed each before it asks. */
function placeIn(reader: TreeReader, names: readonly string[]): Place {
  let at: Place = { name: "/", parent: null, entry: reader.root };
  for (const name of names) {
    if (typeOf(at.entry) !== MODE.DIRECTORY) {
      throw new TreeError(ERRNO.ENOTDIR);
    }
    at = childOf(reader, at, name);
  }
  return at;
}

function childOf(reader: TreeReader, parent: Place, name: string): Place {
  return { name, parent, entry: reader.find(parent, name) };
}

function orElse(read: () => string, otherwise: string): string {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** Returns what numbers the internal directories of one interpreter: no tree had one before. */
export function mountDirectories(): () => string {
  let made = 0;
  return () => {
    made += 1;
    return `${MOUNTS_DIRECTORY}/${made}`;
  };
}
