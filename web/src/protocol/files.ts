/**
 * A page of a listing and a piece of a file, as a page asks for them without a tool.
 *
 * Published types name these, so no type here needs a browser.
 */

export interface ListEntriesParams {
  readonly path: string;
  /** @default false */
  readonly recursive?: boolean;
  /** The `next` of the page before. */
  readonly after?: string | null;
  /** @default 10000 */
  readonly limit?: number;
}

/** One page of a listing, as columns: they are cloned faster than objects. */
export interface EntryColumns {
  readonly paths: readonly string[];
  /** One letter for each path: `f`, `d`, `l` or `o`. */
  readonly kinds: string;
  readonly sizes: readonly (number | null)[];
  readonly unreadable: readonly string[];
  readonly next: string | null;
}

export interface ReadFileParams {
  readonly path: string;
  /** @default 0 */
  readonly offsetBytes?: number;
  /** @default 1 MiB */
  readonly maxBytes?: number;
}

/** A piece of a file, and the size of the whole. */
export interface FileContent {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sizeBytes: number;
}
