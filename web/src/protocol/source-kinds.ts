/** The kinds of tree sources as they travel to the worker: one row each. */

/** The protocols of the addresses that a browser fetches. */
export const FETCHED_PROTOCOLS: readonly string[] = ["http:", "https:", "blob:", "data:"];

/** The registry of a package, as the addresses of the content delivery network spell it. */
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
  /** The files, one after the other; null if the page can no longer read them. */
  readonly joined: Blob | null;
  readonly files: readonly JoinedFile[];
}

export interface JoinedFile {
  readonly index: number;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

/** The fields of each kind: only data that can be sent, no live list of the page's. */
interface SourceFields {
  readonly entries: { readonly entries: Readonly<Record<string, unknown>> };
  readonly archive: { readonly archive: Blob | ArrayBuffer | Uint8Array };
  readonly files: {
    readonly files: readonly WireFile[];
    /** The name of the folder if the visitor chose exactly one folder. */
    readonly folder: string | null;
    /** The page's number for them, by which the worker asks; see `WorkerMessage`. */
    readonly server: number;
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

export type SourceOf<K extends SourceKind> = { readonly kind: K } & SourceFields[K];

export type WireSource = { [K in SourceKind]: SourceOf<K> }[SourceKind];
