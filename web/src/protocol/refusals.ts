/** The refusals of a request that is not what its types say. */
import { TreeglassError } from "./errors.ts";

/** Returns the refusal of a request that has values of the wrong type. */
export function malformed(): TreeglassError {
  return new TreeglassError(
    "BadRequest",
    "The request has values of the wrong type; see the types of the package.",
  );
}
