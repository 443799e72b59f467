import { isOptionalString, isRecord } from "../lib/checks.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type { PackageHosts, PackageRegistry, WireSource } from "../protocol/source-kinds.ts";
import type { SendBlob } from "../session/blob-sender.ts";
import type { ToHostPath } from "../session/client-session.ts";
import { releaseNothing } from "../session/kept-state.ts";
import { DroppedEntries } from "./dropped-files.ts";
import { listChosenFiles, type Outgoing, toOutgoing } from "./files-on-page.ts";
import { toHostAddress, toSourceAddress } from "./page-address.ts";
import { requireReadPermission } from "./read-permission.ts";

/** Makes what travels, anew for each worker that is to have the source. */
export type OutgoingMaker = (sendBlob: SendBlob) => Outgoing;

type BloblessSource = Exclude<WireSource, { kind: "archive" }>;

/** A tree source that may hold a Blob, which does not travel as a part of it. */
export type PlainSource =
  | BloblessSource
  | { readonly kind: "archive"; readonly archive: Blob | ArrayBuffer | Uint8Array };

/** Finds a source out once its turn has come; see `takeDeferred`. */
export type DeferredSource = (withdrawn: AbortSignal, maxEntries: number) => Promise<OutgoingMaker>;

const DEFAULT_HOSTS: PackageHosts = {
  index: "https://data.jsdelivr.com/v1/packages/",
  files: "https://cdn.jsdelivr.net/",
};

/**
 * Returns how a source is found out that a page has to wait for, or null for any other.
 *
 * What is bound to the moment is done at once: a drop is emptied when its event is over, and a
 * browser asks for permission only while it handles a click.
 */
export function takeDeferred(source: unknown): DeferredSource | null {
  if (!isRecord(source)) {
    return null;
  }
  const drop = takeDrop(source.files);
  if (drop !== null) {
    return async (withdrawn, maxEntries) => {
      const listed = await drop.list(withdrawn, maxEntries);
      return (sendBlob) => toOutgoing(listed, sendBlob);
    };
  }
  const { directory } = source;
  if (!isDirectoryHandle(directory)) {
    return null;
  }
  const permission = requireReadPermission(directory);
  // The request may be given up before its turn, and then nobody looks at this.
  permission.catch(() => undefined);
  const wireSource: WireSource = { kind: "directory", directory };
  return () => permission.then(() => () => ({ source: wireSource, release: releaseNothing }));
}

/** Returns a source that a page need not wait for; throws as `toPlainSource` does. */
export function takeAtOnce(source: unknown, toHostPath?: ToHostPath): OutgoingMaker {
  const files = isRecord(source) && isListOfFiles(source.files) ? Array.from(source.files) : null;
  if (files === null) {
    const plain = toPlainSource(source, toHostPath);
    return (sendBlob) => sendApart(plain, sendBlob);
  }
  const listed = listChosenFiles(files);
  return (sendBlob) => toOutgoing(listed, sendBlob);
}

function sendApart(plain: PlainSource, sendBlob: SendBlob): Outgoing {
  if (plain.kind !== "archive") {
    return { source: plain, release: releaseNothing };
  }
  const { archive } = plain;
  if (!isBlob(archive)) {
    return { source: { kind: "archive", archive }, release: releaseNothing };
  }
  const { handle, withdraw } = sendBlob(archive);
  return { source: { kind: "archive", archive: handle }, release: withdraw };
}

/**
 * Returns a source that leaves nothing on the page, with all that the worker has to know.
 *
 * Throws `SourceUnknown` for what is none of the shapes, and `BadRequest` for an address that
 * cannot be fetched.
 */
export function toPlainSource(source: unknown, toHostPath?: ToHostPath): PlainSource {
  if (isRecord(source)) {
    if (isRecord(source.entries) && tagOf(source.entries) === "Object") {
      return { kind: "entries", entries: source.entries };
    }
    if (isArchive(source.archive)) {
      return { kind: "archive", archive: source.archive };
    }
    if (typeof source.directory === "string" || tagOf(source.directory) === "URL") {
      // By its tag it is one of the two.
      const path = requireHostPath(toHostPath)(source.directory as string | URL);
      return { kind: "host-directory", path };
    }
    const elsewhere = sourceElsewhere(source);
    if (elsewhere !== null) {
      return elsewhere;
    }
  }
  throw new TreeglassError(
    "SourceUnknown",
    "The tree source has no known shape; pass { entries: { path: content } }, { archive: Blob | ArrayBuffer | Uint8Array }, { files: FileList | File[] | DataTransfer }, { directory: FileSystemDirectoryHandle }, { url: string | URL }, { npm: 'name@version' } or { github: 'owner/repo@ref' }.",
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

function sourceElsewhere(source: Readonly<Record<string, unknown>>): BloblessSource | null {
  const { url, npm, github } = source;
  if (typeof url === "string" || tagOf(url) === "URL") {
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
): BloblessSource {
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
  if (!isOptionalString(integrity)) {
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

// By tag and not by `instanceof`: a file of a frame is made by that frame's constructors.
function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

function isArchive(value: unknown): value is Blob | ArrayBuffer | Uint8Array {
  return isBlob(value) || ["ArrayBuffer", "Uint8Array"].includes(tagOf(value));
}

function isBlob(value: unknown): value is Blob {
  return ["Blob", "File"].includes(tagOf(value));
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
