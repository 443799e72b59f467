/** Synchronous reads of a file on this machine. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { DeferredError } from "../../../sources/tree.ts";
import { deferredError } from "./host-faults.ts";
import { requireInPlace } from "./host-place.ts";

/** Neither follows a link nor waits for a pipe that has meanwhile replaced the file. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Returns the bytes from `start` up to `end` at a real path; fewer if the file is shorter by now. */
export function readHostRange(path: string, start: number, end: number): Uint8Array {
  try {
    requireInPlace(path);
    const descriptor = openSync(path, FLAGS);
    try {
      return readOpened(path, descriptor, start, end);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw deferredError(error);
  }
}

function readOpened(path: string, descriptor: number, start: number, end: number): Uint8Array {
  requireOpenedAt(path, descriptor);
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

/** Throws a `DeferredError` if the opened file is not the one at the path. */
function requireOpenedAt(path: string, descriptor: number): void {
  const opened = fstatSync(descriptor, { bigint: true });
  if (!opened.isFile()) {
    throw new DeferredError("unreadable", "it is no longer a file");
  }
  requireInPlace(path);
  const there = lstatSync(path, { bigint: true });
  requireInPlace(path);
  if (there.ino !== opened.ino || there.dev !== opened.dev) {
    throw new DeferredError("unreadable", "it was replaced while it was read");
  }
}
