import { TreeglassError } from "./errors.ts";

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Returns an absolute path; throws `WorkspaceInvalid`, which gives `name`, for any other value. */
export function requireAbsolute(name: string, path: unknown): string {
  if (typeof path !== "string" || !path.startsWith("/") || LONE_SURROGATE.test(path)) {
    throw new TreeglassError(
      "WorkspaceInvalid",
      `The ${name} ${JSON.stringify(path)} is not absolute; use a path such as '/repo'.`,
    );
  }
  return path;
}
