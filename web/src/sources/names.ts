/** The names of a tree: how a source spells them, and which of them a tree may have. */
import { toWellFormed } from "../lib/well-formed.ts";
import type { MountLimits } from "../protocol/mount-report.ts";
import { compileSkipPatterns } from "./skip-patterns.ts";

/** A path of a source as the names of a tree, or the reason why it is refused. */
export type ParsedPath =
  | {
      readonly names: readonly string[];
      /** The names joined. */
      readonly path: string;
      /** Why the tree's path differs from the source's; null if it is the same. */
      readonly renamed: string | null;
      readonly converted: readonly string[];
    }
  | { readonly fault: string };

/** Matches paths that need a closer look; most paths of a tree do not. */
const UNUSUAL = /[\0\\\uD800-\uDFFF]|^[A-Za-z]:|(?:^|\/)\.{0,2}(?:\/|$)/;
/** More than any path of a tree has; a longer one is refused before it costs time. */
const MAX_SPELLED_CHARACTERS = 65_536;
const DRIVE = /^[A-Za-z]:(\/|$)/;

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lossyUtf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Decodes bytes, with U+FFFD for invalid ones, and tells whether all were valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): { readonly text: string; readonly isUtf8: boolean } {
  try {
    return { text: strictUtf8.decode(bytes), isUtf8: true };
  } catch {
    return { text: lossyUtf8.decode(bytes), isUtf8: false };
  }
}

/** Returns the length of the text in UTF-8 bytes without encoding it. */
export function utf8ByteLength(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) {
      continue;
    }
    bytes += unit < 0x800 ? 1 : 2;
    if (unit >= 0xd800 && unit < 0xdc00) {
      const next = text.charCodeAt(index + 1);
      if (next >= 0xdc00 && next < 0xe000) {
        // A pair is two units and four bytes: two bytes more than its units.
        index += 1;
      }
    }
  }
  return bytes;
}

/**
 * Cuts a path into names, all of which stay inside the tree.
 *
 * `.` and repeated slashes vanish silently. A trailing slash marks a directory, which the caller
 * handles.
 *
 * A backslash is an ordinary character of a name and `C:` an ordinary name, except with
 * `mayBeWindows`, for archives that may have been packed on Windows.
 */
export function parsePath(source: string, mayBeWindows: boolean): ParsedPath {
  if (source.length > MAX_SPELLED_CHARACTERS) {
    return { fault: `has a path of more than ${MAX_SPELLED_CHARACTERS} characters` };
  }
  if (!UNUSUAL.test(source)) {
    return { names: source.split("/"), path: source, renamed: null, converted: [] };
  }
  if (source.includes("\0")) {
    return { fault: "has a NUL character in its name" };
  }
  const converted: string[] = [];
  let text = source;
  if (mayBeWindows && text.includes("\\")) {
    text = text.replaceAll("\\", "/");
    converted.push("backslashes read as separators");
  }
  const wellFormed = toWellFormed(text);
  if (wellFormed !== text) {
    text = wellFormed;
    converted.push("lone surrogates replaced by U+FFFD");
  }
  if (mayBeWindows && DRIVE.test(text)) {
    return { fault: "starts with a drive letter" };
  }
  const names: string[] = [];
  let renamed = text.startsWith("/") ? "an absolute path, put below the mount point" : null;
  for (const name of text.split("/")) {
    if (name === "..") {
      if (names.pop() === undefined) {
        return { fault: "leads out of the tree with '..'" };
      }
      renamed = "'..' resolved";
    } else if (name !== "" && name !== ".") {
      names.push(name);
    }
  }
  return { names, path: names.join("/"), renamed, converted };
}

/** Returns why a tree cannot have a path, which is its names joined; null if it can. */
export function misfitOf(
  names: readonly string[],
  path: string,
  { maxDepth, maxNameBytes, maxPathBytes }: MountLimits,
): string | null {
  if (names.length - 1 > maxDepth) {
    return `lies ${names.length - 1} directories deep, over maxDepth (${maxDepth})`;
  }
  // A text of n units takes at most 3n bytes: almost every path passes without counting.
  if (path.length * 3 <= Math.min(maxPathBytes, maxNameBytes)) {
    return null;
  }
  if (utf8ByteLength(path) > maxPathBytes) {
    return `has a path over maxPathBytes (${maxPathBytes})`;
  }
  return names.some((name) => utf8ByteLength(name) > maxNameBytes)
    ? `has a name over maxNameBytes (${maxNameBytes})`
    : null;
}

/**
 * Returns the first names, up to one that exceeds a limit: an entry below that is refused anyway,
 * and a glob takes minutes over a name or a path of 60,000 characters.
 */
export function fittingNames(
  names: readonly string[],
  { maxDepth, maxNameBytes, maxPathBytes }: MountLimits,
): readonly string[] {
  let pathLength = -1;
  const end = names.findIndex((name, index) => {
    pathLength += name.length + 1;
    return index > maxDepth || name.length > maxNameBytes || pathLength > maxPathBytes;
  });
  return end === -1 ? names : names.slice(0, end);
}

/** Tells whether a tree whose folders are listed on demand shows an entry, by its names. */
export type IsShown = (names: readonly string[]) => boolean;

/** Returns a test that leaves out skipped entries and entries over a limit. */
export function shownWithin(limits: MountLimits, skip: readonly string[]): IsShown {
  const matchSkip = compileSkipPatterns(skip);
  return (names) =>
    misfitOf(names, names.join("/"), limits) === null && (matchSkip?.(names) ?? null) === null;
}

/**
 * Tells whether a link's target, as it is spelled, leads above the top of its tree.
 *
 * `depth` is the number of directories above the link. An absolute target leads out of every tree.
 */
export function leadsOut(target: string, depth: number): boolean {
  if (target.startsWith("/")) {
    return true;
  }
  let level = depth;
  for (const name of target.split("/")) {
    if (name === "..") {
      level -= 1;
    } else if (name !== "" && name !== ".") {
      level += 1;
    }
    if (level < 0) {
      return true;
    }
  }
  return false;
}

/** Returns an absolute target below the mount path, relative to it; null for any other target. */
export function belowMount(mountPath: string, target: string): string | null {
  const isBelow = target === mountPath || target.startsWith(`${mountPath}/`);
  return isBelow ? target.slice(mountPath.length).replace(/^\/+/, "") : null;
}
