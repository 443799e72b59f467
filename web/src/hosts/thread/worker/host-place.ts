/** Checks that a path of this machine leads where its names say; the system itself does not. */
import { realpathSync } from "node:fs";
import { DeferredError } from "../../../sources/tree.ts";
import { deferredError } from "./host-faults.ts";

/**
 * Throws a `DeferredError` if a path is no longer a real path, or spells a name differently.
 *
 * A link may meanwhile have replaced any folder on the way, and the system follows it. A disk that
 * ignores case or the encoding of accents finds an entry by other names than its own, and the
 * patterns of skipped entries would not match those.
 *
 * Call it after the system has answered about the path, and before using the answer: an entry from
 * another place then never leaves this module.
 */
export function requireInPlace(path: string): void {
  let real: string;
  try {
    // `realpathSync` itself looks at each name on the way, and keeps its spelling.
    real = realpathSync.native(path);
  } catch (cause) {
    throw deferredError(cause);
  }
  if (real !== path) {
    throw new DeferredError("missing", "it is no longer there");
  }
}
