/** Synchronous reads of a file on this machine. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { DeferredError } from "../../../sources/tree.ts";
import { askInPlace, requireInPlace } from "./host-place.ts";

/** Neither follows a link nor waits for a pipe that has meanwhile replaced the file. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Returns the bytes from `start` up to `end` of a file in a real directory; fewer if the file is
 * shorter by now.
 */
export function readHostRange(
  directory: string,
  name: string,
  isHeld: boolean,
  start: number,
  end: number,
): Uint8Array {
  return askInPlace(directory, isHeld, (reached) => {
    const path = join(reached, name);
    if (!isHeld) {
      requireInPlace(path);
    }
    const descriptor = openSync(path, FLAGS);
    try {
      requireFile(descriptor);
      if (!isHeld) {
        requireOpenedAt(path, descriptor);
      }
      return readOpened(descriptor, start, end);
    } finally {
      closeSync(descriptor);
    }
  });
}

function readOpened(descriptor: number, start: number, end: number): Uint8Array {
  const bytes = new Uint8Array(end - start);
  let filled = 0;
  while (filled < bytes.byteLength) {
    const count = readSync(descriptor, bytes, filled, bytes.byteLength - filled, start + filled);
    if (count === 0) {
      break;
    }
    filled += count;
  }
  return bytes.subarray(0, filled);
}

function requireFile(descriptor: number): void {
  if (!fstatSync(descriptor).isFile()) {
    throw new DeferredError("unreadable", "it is no longer a file");
  }
}

/** Throws a `DeferredError` if the opened file is not the one at the path. */
function requireOpenedAt(path: string, descriptor: number): void {
  requireInPlace(path);
  const opened = fstatSync(descriptor, { bigint: true });
  const there = lstatSync(path, { bigint: true });
  requireInPlace(path);
  if (there.ino !== opened.ino || there.dev !== opened.dev) {
    throw new DeferredError("unreadable", "it was replaced while it was read");
  }
}
