/**
 * The refusals of a request that is not what its types say, or cannot be sent or decoded.
 *
 * Not in `errors.ts`: workerd's bundle takes that module from the package, with its public names.
 */
import { reasonOf } from "../lib/report-error.ts";
import { TreeglassError } from "./errors.ts";

/** Returns the refusal of a request that has values of the wrong type. */
export function malformed(): TreeglassError {
  return new TreeglassError(
    "BadRequest",
    "The request has values of the wrong type; see the types of the package.",
  );
}

/** Returns the refusal of a request that holds what no message can carry. */
export function cannotBeSent(cause: unknown): TreeglassError {
  const message = `The request holds what cannot be sent to a worker: ${reasonOf(cause)}`;
  return new TreeglassError("BadRequest", message, { cause });
}

/** Returns the refusal of a request that cannot be decoded. */
export function unreadable(): TreeglassError {
  return new TreeglassError(
    "BadRequest",
    "The worker could not read the request; send less at once, and nothing that is bound to the page.",
  );
}
