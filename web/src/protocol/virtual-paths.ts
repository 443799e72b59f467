import { TreeglassError } from "./errors.ts";

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Returns an absolute path without `.`, `..` and NUL.
 *
 * Throws `WorkspaceInvalid`, which gives `name`, for any other value.
 */
export function requireAbsolute(name: string, path: unknown): string {
  if (typeof path !== "string" || !path.startsWith("/") || LONE_SURROGATE.test(path)) {
    throw invalid(name, path, "is not absolute");
  }
  if (path.includes("\0")) {
    throw invalid(name, path, "holds a NUL");
  }
  const dots = path.split("/").find((part) => part === "." || part === "..");
  if (dots !== undefined) {
    throw invalid(name, path, `holds '${dots}'`);
  }
  return path;
}

function invalid(name: string, path: unknown, fault: string): TreeglassError {
  return new TreeglassError(
    "WorkspaceInvalid",
    `The ${name} ${JSON.stringify(path)} ${fault}; use a path such as '/repo'.`,
  );
}
