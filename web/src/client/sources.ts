/** What a page can mount. */
import type { Drop } from "./dropped-files.ts";

/** A file, a directory or a link of an `entries` source. */
export type EntryValue =
  | string
  | Uint8Array
  | ArrayBuffer
  /** A directory; needed only where it is empty, since paths imply the others. */
  | null
  | { readonly content: string | Uint8Array | ArrayBuffer; readonly modifiedMs?: number }
  | { readonly symlink: string; readonly modifiedMs?: number }
  | { readonly directory: true; readonly modifiedMs?: number };

/** A tree written down: path to what is there. */
export interface EntriesSource {
  readonly entries: Readonly<Record<string, EntryValue>>;
}

/** A zip archive, recognised by its content; of a Blob only what is needed is ever read. */
export interface ArchiveSource {
  readonly archive: Blob | ArrayBuffer | Uint8Array;
}

/**
 * Files that a visitor chose (`<input type="file">`, with or without `webkitdirectory`) or dropped.
 *
 * A `DataTransfer` must be handed over in the event handler itself, since the browser empties it
 * as soon as that returns; to mount later, hand over what `collectDrop` made of it there. The
 * folders of a drop are listed by `mount`, the empty ones too, up to `limits.maxEntries`.
 */
export interface FilesSource {
  readonly files: FileList | readonly File[] | DataTransfer | Drop;
}

/** One of the shapes that `client.mount` takes. */
export type TreeSource = EntriesSource | ArchiveSource | FilesSource;
