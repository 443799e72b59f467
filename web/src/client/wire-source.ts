import { isRecord } from "../protocol/checks.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type { WireFile, WireSource } from "../protocol/messages.ts";
import { DroppedEntries } from "./dropped-files.ts";

/**
 * Returns the drop that a source is, or null where it is of another kind.
 *
 * Takes what the drop holds at once: the browser empties it when its event is over.
 */
export function takeDrop(source: unknown): DroppedEntries | null {
  if (!isRecord(source)) {
    return null;
  }
  if (source.files instanceof DroppedEntries) {
    return source.files;
  }
  return isDataTransfer(source.files) ? new DroppedEntries(source.files) : null;
}

/**
 * Returns a source that is no drop in the form that travels to the worker.
 *
 * Throws `SourceUnknown` for what is none of the shapes.
 */
export function toWireSource(source: unknown): WireSource {
  if (isRecord(source)) {
    if (isRecord(source.entries) && tagOf(source.entries) === "Object") {
      return { kind: "entries", entries: source.entries };
    }
    if (isArchive(source.archive)) {
      return { kind: "archive", archive: source.archive };
    }
    const files = isListOfFiles(source.files) ? Array.from(source.files) : null;
    if (files !== null) {
      return { kind: "files", ...listChosenFiles(files) };
    }
  }
  throw new TreeglassError(
    "SourceUnknown",
    "The tree source has no known shape; pass { entries: { path: content } }, { archive: Blob | ArrayBuffer | Uint8Array } or { files: FileList | File[] | DataTransfer }.",
  );
}

function listChosenFiles(files: readonly File[]): { files: WireFile[]; folder: string | null } {
  const listed = files.map((file) => ({
    path: file.webkitRelativePath || file.name,
    file,
    modifiedMs: file.lastModified,
  }));
  const folders = new Set(files.map((file) => file.webkitRelativePath?.split("/", 1)[0]));
  const [folder] = folders;
  return { files: listed, folder: folders.size === 1 && folder ? folder : null };
}

// By tag and not by `instanceof`: a file of a frame is made by that frame's constructors.
function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

function isArchive(value: unknown): value is Blob | ArrayBuffer | Uint8Array {
  return ["Blob", "File", "ArrayBuffer", "Uint8Array"].includes(tagOf(value));
}

function isDataTransfer(value: unknown): value is DataTransfer {
  return tagOf(value) === "DataTransfer";
}

function isListOfFiles(value: unknown): value is FileList | readonly File[] {
  return (
    tagOf(value) === "FileList" ||
    (Array.isArray(value) && value.every((member) => tagOf(member) === "File"))
  );
}
