import { isAddress, isRecord, tagOf } from "../lib/checks.ts";
import { TreeglassError } from "../protocol/errors.ts";
import { DEFAULT_LIMITS } from "../protocol/mount-report.ts";
import type {
  PackageHosts,
  PackageRegistry,
  SourceKind,
  WireSource,
} from "../protocol/source-kinds.ts";
import { plain, type Sendable } from "../session/sendable.ts";
import type { ToHostPath } from "../session/session.ts";
import { DroppedEntries } from "./dropped-files.ts";
import { listChosenFiles, SendableFiles } from "./files-on-page.ts";
import { toHostAddress, toSourceAddress } from "./page-address.ts";
import { requireReadPermission } from "./read-permission.ts";

/** The values that a place and a mount set for a source. */
export interface SourceBounds {
  readonly toHostPath?: ToHostPath | undefined;
  /**
   * The most entries of a drop; listing more of them rejects with `LimitExceeded`.
   * @default that of `MountLimits`
   */
  readonly maxEntries?: number | undefined;
}

/**
 * The names that a source of each kind may have, and their values in the words of a refusal.
 *
 * A new kind is also a type in `sources.ts`, a shape that `takeSource` reads, and a row in
 * `docs/sources.md`; `source-shapes.test.ts` names what is missing.
 */
const SHAPES: { readonly [K in SourceKind]: Readonly<Record<string, string>> } = {
  entries: { entries: "{ path: content }" },
  archive: { archive: "Blob | ArrayBuffer | Uint8Array" },
  files: { files: "FileList | File[] | DataTransfer" },
  directory: { directory: "FileSystemDirectoryHandle" },
  // A page cannot open it; see `requireHostPath`.
  "host-directory": {},
  url: { url: "string | URL" },
  package: { npm: "'name@version'", github: "'owner/repo@ref'" },
};

const DEFAULT_HOSTS: PackageHosts = {
  index: "https://data.jsdelivr.com/v1/packages/",
  files: "https://cdn.jsdelivr.net/",
};

/**
 * Takes a source; a drop and a directory handle have to be prepared before they are sent.
 *
 * Work that is bound to this moment is done at once: a browser empties a drop when its event is
 * over, and asks for permission only while it handles a click. Throws as `toPlainSource` does.
 */
export function takeSource(
  source: unknown,
  { toHostPath, maxEntries = DEFAULT_LIMITS.maxEntries }: SourceBounds = {},
): Sendable<WireSource> {
  if (!isRecord(source)) {
    throw unknownShape();
  }
  requireOneSource(source);
  const { files, directory } = source;
  const drop = takeDrop(files);
  if (drop !== null) {
    return new SendableFiles((withdrawn) => drop.list(withdrawn, maxEntries));
  }
  if (isDirectoryHandle(directory)) {
    const permission = requireReadPermission(directory);
    // An abandoned mount leaves this rejection unhandled.
    permission.catch(() => undefined);
    return { ...plain<WireSource>({ kind: "directory", directory }), prepare: () => permission };
  }
  if (isListOfFiles(files)) {
    return new SendableFiles(listChosenFiles(Array.from(files)));
  }
  return plain(toPlainSource(source, toHostPath));
}

/**
 * Returns a source that leaves nothing on the page.
 *
 * Throws `SourceUnknown` for an unknown shape, and `BadRequest` for an address that cannot be
 * fetched.
 */
export function toPlainSource(source: unknown, toHostPath?: ToHostPath): WireSource {
  if (isRecord(source)) {
    if (isRecord(source.entries) && tagOf(source.entries) === "Object") {
      return { kind: "entries", entries: source.entries };
    }
    if (isArchive(source.archive)) {
      return { kind: "archive", archive: source.archive };
    }
    if (isAddress(source.directory)) {
      return { kind: "host-directory", path: requireHostPath(toHostPath)(source.directory) };
    }
    if (typeof source.archive === "string") {
      throw new TreeglassError(
        "SourceUnknown",
        `The archive is a text, and not its bytes; pass a Blob, an ArrayBuffer or a Uint8Array, or its address as { url: ${JSON.stringify(source.archive)} }.`,
      );
    }
    const elsewhere = sourceElsewhere(source);
    if (elsewhere !== null) {
      return elsewhere;
    }
  }
  throw unknownShape();
}

/** Refuses two trees at one path, of which a mount would show one. */
function requireOneSource(source: Readonly<Record<string, unknown>>): void {
  const names = Object.values(SHAPES).flatMap(Object.keys);
  const given = names.filter((name) => source[name] != null);
  if (given.length > 1) {
    throw new TreeglassError(
      "SourceUnknown",
      `The tree source has ${given.join(" and ")}; pass one.`,
    );
  }
}

function unknownShape(): TreeglassError {
  const shapes = Object.values(SHAPES)
    .flatMap(Object.entries)
    .map(([name, value]) => `{ ${name}: ${value} }`);
  const last = shapes.pop();
  return new TreeglassError(
    "SourceUnknown",
    `The tree source has no known shape; pass ${shapes.join(", ")} or ${last}.`,
  );
}

function requireHostPath(toHostPath: ToHostPath | undefined): ToHostPath {
  if (toHostPath === undefined) {
    throw new TreeglassError(
      "SourceUnknown",
      "A page cannot open a folder by its path; pass { directory: FileSystemDirectoryHandle }, which showDirectoryPicker() gives, or connect by treeglass/edge under Node, Deno or Bun.",
    );
  }
  return toHostPath;
}

function sourceElsewhere(source: Readonly<Record<string, unknown>>): WireSource | null {
  const { url, npm, github } = source;
  if (isAddress(url)) {
    return {
      kind: "url",
      url: toSourceAddress("url of the source", url),
      integrity: toIntegrity(source.integrity),
      prefetch: toPrefetch(source.prefetch),
    };
  }
  if (typeof npm === "string") {
    return packageSource("npm", npm, source);
  }
  return typeof github === "string" ? packageSource("gh", github, source) : null;
}

function packageSource(
  registry: PackageRegistry,
  specifier: string,
  { hosts, prefetch }: Readonly<Record<string, unknown>>,
): WireSource {
  return {
    kind: "package",
    registry,
    specifier,
    hosts: toHosts(hosts),
    prefetch: toPrefetch(prefetch),
  };
}

function toHosts(hosts: unknown = {}): PackageHosts {
  if (!isRecord(hosts)) {
    throw new TreeglassError("BadRequest", "The hosts of a package are { index?, files? }.");
  }
  return {
    index: toHostAddress("index host", hosts.index ?? DEFAULT_HOSTS.index),
    files: toHostAddress("files host", hosts.files ?? DEFAULT_HOSTS.files),
  };
}

function toIntegrity(integrity: unknown): string | null {
  if (integrity !== undefined && typeof integrity !== "string") {
    throw new TreeglassError(
      "BadRequest",
      "The integrity of a source is a text such as 'sha384-' and the hash in base64.",
    );
  }
  return integrity ?? null;
}

function toPrefetch(prefetch: unknown = false): boolean {
  if (typeof prefetch !== "boolean") {
    throw new TreeglassError("BadRequest", "The prefetch option of a source is true or false.");
  }
  return prefetch;
}

function takeDrop(files: unknown): DroppedEntries | null {
  if (files instanceof DroppedEntries) {
    return files;
  }
  return isDataTransfer(files) ? new DroppedEntries(files) : null;
}

function isArchive(value: unknown): value is Blob | ArrayBuffer | Uint8Array {
  return ["Blob", "File", "ArrayBuffer", "Uint8Array"].includes(tagOf(value));
}

function isDataTransfer(value: unknown): value is DataTransfer {
  return tagOf(value) === "DataTransfer";
}

function isDirectoryHandle(value: unknown): value is FileSystemDirectoryHandle {
  return tagOf(value) === "FileSystemDirectoryHandle";
}

function isFile(value: unknown): value is File {
  // Bun calls its files Blobs.
  return tagOf(value) === "File" || (value instanceof Blob && "name" in value);
}

function isListOfFiles(value: unknown): value is FileList | readonly File[] {
  return tagOf(value) === "FileList" || (Array.isArray(value) && value.every(isFile));
}
