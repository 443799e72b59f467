/** The system's errors about a file or a folder, without its path. */
import { DeferredError } from "../../../sources/tree.ts";

export function isAbsent(error: unknown): boolean {
  if (error instanceof DeferredError) {
    return error.fault === "missing";
  }
  return ["ENOENT", "ENOTDIR", "ENAMETOOLONG"].includes(codeOf(error));
}

/** Returns the error in the form that the interpreter's filesystem reports. */
export function deferredError(cause: unknown): DeferredError {
  if (cause instanceof DeferredError) {
    return cause;
  }
  if (isAbsent(cause)) {
    return new DeferredError("missing", "it is no longer there", { cause });
  }
  return isForbidden(cause)
    ? new DeferredError("forbidden", "this program may not read it", { cause })
    : new DeferredError("unreadable", `the system cannot read it (${codeOf(cause)})`, { cause });
}

export function isForbidden(error: unknown): boolean {
  return ["EACCES", "EPERM", "ERR_ACCESS_DENIED"].includes(codeOf(error)) || isNotCapable(error);
}

function codeOf(error: unknown): string {
  const hasCode = error instanceof Error && "code" in error && typeof error.code === "string";
  return hasCode ? String(error.code) : "no reason given";
}

/** Deno has its own error for an operation that its permissions forbid. */
function isNotCapable(error: unknown): boolean {
  return error instanceof Error && ["NotCapable", "PermissionDenied"].includes(error.name);
}
