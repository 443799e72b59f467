/** The trees that a page can mount. */

/** A file's content, written down. */
export type EntryContent = string | Uint8Array | ArrayBuffer;

/**
 * A file, a directory or a link of an `entries` source.
 *
 * Paths may be flat (`"src/a.py"`) or nested (`{ src: { directory: { "a.py": ... } } }`), in one
 * source too. A file's content can be text or bytes, but no function: that cannot be sent.
 */
export type EntryValue =
  | EntryContent
  /** A directory; needed only where it is empty, since paths imply the others. */
  | null
  | {
      readonly content: EntryContent;
      /** @default 0, which is 1970 */
      readonly modifiedMs?: number;
      /** The same as a date; `modifiedMs` wins. */
      readonly mtime?: Date;
      /** Ignored: a mounted tree is read-only. */
      readonly mode?: number;
    }
  | { readonly symlink: string; readonly modifiedMs?: number }
  | { readonly directory: true; readonly modifiedMs?: number }
  | { readonly directory: NestedEntries; readonly modifiedMs?: number }
  | {
      readonly file: { readonly contents: EntryContent } | { readonly symlink: string };
      readonly modifiedMs?: number;
    };

/** The entries of a directory by name, as web containers write a tree down. */
export interface NestedEntries {
  readonly [name: string]: EntryValue;
}

/** A tree as an object: a path and its entry. */
export interface EntriesSource {
  readonly entries: Readonly<Record<string, EntryValue>>;
}

/**
 * An archive, recognised by its content: zip, tar, or a tar compressed by gzip, bzip2 or xz.
 *
 * Of a zip in a Blob, only the needed parts are read.
 */
export interface ArchiveSource {
  readonly archive: Blob | ArrayBuffer | Uint8Array;
}

/**
 * Files that a visitor chose (`<input type="file">`, with or without `webkitdirectory`) or dropped.
 *
 * Pass a `DataTransfer` in the event handler itself, since the browser empties it as soon as that
 * returns; to mount later, call `collectDrop` in the handler and pass its result. `mount` lists the
 * folders of a drop, the empty ones too, up to `limits.maxEntries`.
 */
export interface FilesSource {
  readonly files: DomType<"FileList"> | readonly File[] | DomType<"DataTransfer"> | Drop;
}

/**
 * A directory of the visitor's disk, or of the page's origin private file system.
 *
 * Mounts at once, whatever its size: every tool call lists and reads the directory in its present
 * state, so the report has no counts. The client asks for permission to read, and for no other. The
 * browser asks the visitor only during a click, so mount a handle from an earlier visit inside a
 * click handler.
 */
export interface DirectorySource {
  readonly directory: DomType<"FileSystemDirectoryHandle">;
}

/**
 * A folder of the machine that the program runs on, under Node, Deno or Bun.
 *
 * Mounts at once, whatever its size: every tool call lists and reads the folder in its present
 * state, so the report has no counts. Nothing outside the folder is shown: a link that leads out is
 * listed and leads nowhere. If a link replaces a folder, even the mounted one, the entries below it
 * disappear. A program that swaps the two between two system calls may win that race, so mount only
 * folders that trusted programs change. An entry has only the name that the folder lists, even on a
 * disk that ignores case. Pipes, sockets and devices are listed but cannot be read. A name that is
 * not UTF-8 is left out, and the call's warnings give it.
 */
export interface HostDirectorySource {
  /** A path, relative to the program's working directory or absolute; or a `file:` address. */
  readonly directory: string | URL;
}

/**
 * An archive or a manifest at an address, told apart by content.
 *
 * In a page the address may be relative, and another host must allow the page's origin to read it
 * (CORS); in a program it must be absolute. http, https, blob and data addresses are fetched. An
 * archive is downloaded whole, up to `limits.maxTotalBytes`; each file of a manifest is fetched
 * when it is first read.
 */
export interface UrlSource {
  readonly url: string | URL;
  /**
   * The hash of the bytes, as in HTML: `sha384-` and base64. Separate several by spaces; the
   * strongest kind counts.
   */
  readonly integrity?: string;
  /** Fetches the files of a manifest during the mount instead of when they are first read. @default false */
  readonly prefetch?: boolean;
}

/** Hosts of packages instead of jsDelivr; in a page, each address may be relative. */
export interface PackageHostOptions {
  /** Lists the versions and files of a package. @default "https://data.jsdelivr.com/v1/packages/" */
  readonly index?: string | URL;
  /** Serves the files. @default "https://cdn.jsdelivr.net/" */
  readonly files?: string | URL;
}

/**
 * A package of the npm registry, through jsDelivr: up to 150 MB.
 *
 * A mount costs the list of its files. Each file is fetched when it is first read, and must have
 * the hash of the list.
 */
export interface NpmSource {
  /** `name@version` or `@scope/name@version`; a tag, a range or a missing version is resolved first. */
  readonly npm: string;
  readonly hosts?: PackageHostOptions;
  /** Fetches all files during the mount. @default false */
  readonly prefetch?: boolean;
}

/** A public repository on GitHub, through jsDelivr: up to 50 MB; see `NpmSource`. */
export interface GithubSource {
  /** `owner/repo@ref`; a ref is a tag, a branch or a commit. @default the latest version */
  readonly github: string;
  readonly hosts?: PackageHostOptions;
  /** Fetches all files during the mount. @default false */
  readonly prefetch?: boolean;
}

/** The shapes that `client.mount` takes. */
export type TreeSource =
  | Alone<EntriesSource>
  | Alone<ArchiveSource>
  | Alone<FilesSource>
  | Alone<DirectorySource>
  | Alone<HostDirectorySource>
  | Alone<UrlSource>
  | Alone<NpmSource>
  | Alone<GithubSource>;

/** A source that names no second one: a mount has one tree. */
type Alone<Source> = Source & {
  readonly [Name in Exclude<SourceName, keyof Source>]?: never;
};

type SourceName = "entries" | "archive" | "files" | "directory" | "url" | "npm" | "github";

/**
 * A type of the browser, or `never` in a program without the browser's types.
 *
 * The plain name would be unknown to a Node program that checks its types against this package.
 */
export type DomType<Name extends string> = typeof globalThis extends {
  readonly [Global in Name]: { readonly prototype: infer Value };
}
  ? Value
  : never;

/** A drop whose files are not listed yet; `collectDrop` makes it for `mount`. */
export interface Drop {
  /** The names of the dropped files and folders, without their content. */
  readonly names: readonly string[];
  /** The name of the folder if exactly one folder was dropped; else null. */
  readonly folder: string | null;
}
