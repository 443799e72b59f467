/** Whether a path of this machine leads where its names say, which the system itself does not ask. */
import { realpathSync } from "node:fs";
import { DeferredError } from "../../../sources/tree.ts";
import { deferredError } from "./host-faults.ts";

/**
 * Throws a `DeferredError` where a real path is no longer one, or is spelled in another way.
 *
 * Any folder on the way may have been replaced by a link meanwhile, and the system follows it. A
 * disk that ignores case, or one of the ways to write an accent, finds an entry by names that it
 * does not have, and by which nothing that is skipped would be known.
 *
 * To be called after what was asked by the path, and before anybody is told of that: then an entry
 * that was found in another place is not handed out.
 */
export function requireInPlace(path: string): void {
  let real: string;
  try {
    // The other one asks for each name on the way and takes it as it is spelled.
    real = realpathSync.native(path);
  } catch (cause) {
    throw deferredError(cause);
  }
  if (real !== path) {
    throw new DeferredError("missing", "it is no longer there");
  }
}
