/** The kinds of tree sources as they travel to the worker: one row each. */

/** Names a Blob that travels apart; see `HandoverNotice`. */
export type BlobHandle = number;

/** Where a package comes from, as the addresses of the content delivery network spell it. */
export type PackageRegistry = "npm" | "gh";

/** Absolute addresses that end in a slash. */
export interface PackageHosts {
  /** Lists the files of a package. */
  readonly index: string;
  /** Serves the files. */
  readonly files: string;
}

/** A file or a directory that a visitor chose; its content stays on the page. */
export interface WireFile {
  readonly path: string;
  readonly isDirectory: boolean;
}

/** The page's answer for some files. */
export interface FilesReply {
  /** A Blob of the files, one after the other; null if the page can no longer read them. */
  readonly joined: BlobHandle | null;
  readonly files: readonly JoinedFile[];
}

/** A file of a `FilesReply`. */
export interface JoinedFile {
  readonly index: number;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

/** The last message of a page's files: the page released them and answers no more requests. */
export const FILES_CLOSED = null;

/** The fields of each kind: only data that can be sent, no live list of the page's. */
interface SourceFields {
  readonly entries: { readonly entries: Readonly<Record<string, unknown>> };
  readonly archive: { readonly archive: BlobHandle | ArrayBuffer | Uint8Array };
  readonly files: {
    readonly files: readonly WireFile[];
    /** The name of the folder if the visitor chose exactly one folder. */
    readonly folder: string | null;
    /** Takes lists of indices, answers with `FilesReply`s, and ends with `FILES_CLOSED`. */
    readonly requests: MessagePort;
  };
  readonly directory: { readonly directory: FileSystemDirectoryHandle };
  /** A folder of the machine that the worker runs on, by its absolute path. */
  readonly "host-directory": { readonly path: string };
  readonly url: {
    /** Absolute: a worker has another base address than its page. */
    readonly url: string;
    readonly integrity: string | null;
    readonly prefetch: boolean;
  };
  readonly package: {
    readonly registry: PackageRegistry;
    /** `name@version`, `@scope/name@version` or `owner/repo@ref`; the last part may be missing. */
    readonly specifier: string;
    readonly hosts: PackageHosts;
    readonly prefetch: boolean;
  };
}

export type SourceKind = keyof SourceFields;

/** A source of one kind. */
export type SourceOf<K extends SourceKind> = { readonly kind: K } & SourceFields[K];

/** A tree source as it travels. */
export type WireSource = { [K in SourceKind]: SourceOf<K> }[SourceKind];
