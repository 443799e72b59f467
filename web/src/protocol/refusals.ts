/** The refusals of a request that is not what its types say, or cannot be decoded; errors.ts is shared by bundles as it is. */
import { TreeglassError } from "./errors.ts";

/** Returns the refusal of a request that has values of the wrong type. */
export function malformed(): TreeglassError {
  return new TreeglassError(
    "BadRequest",
    "The request has values of the wrong type; see the types of the package.",
  );
}

/** Returns the refusal of a request that cannot be decoded. */
export function unreadable(): TreeglassError {
  return new TreeglassError(
    "BadRequest",
    "The worker could not read the request; send less at once, and nothing that is bound to the page.",
  );
}
