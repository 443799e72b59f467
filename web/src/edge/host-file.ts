/** Pieces of a file on this machine, read while the caller waits. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { DeferredError } from "../sources/tree.ts";
import { deferredError } from "./host-faults.ts";

/** What has taken a file's place meanwhile is neither followed nor waited for. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Returns the bytes from `start` up to `end`; fewer where the file is shorter by now. */
export function readHostRange(path: string, start: number, end: number): Uint8Array {
  try {
    const descriptor = openSync(path, FLAGS);
    try {
      return readOpened(descriptor, start, end);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw deferredError(error);
  }
}

function readOpened(descriptor: number, start: number, end: number): Uint8Array {
  if (!fstatSync(descriptor).isFile()) {
    throw new DeferredError("unreadable", "it is no longer a file");
  }
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
