/** The visitor's permission to read a directory. */
import { TreeglassError } from "../protocol/errors.ts";

/** Methods that browsers with a picker add to a handle; the client requests only `read`. */
interface Permitting {
  queryPermission(descriptor: { readonly mode: "read" }): Promise<PermissionState>;
  requestPermission?(descriptor: { readonly mode: "read" }): Promise<PermissionState>;
}

/**
 * Resolves when the directory may be read; asks the visitor if the browser requires it.
 *
 * A browser asks only while it handles a click or a key, so call this before any await. Rejects
 * with `SourceUnreadable` if reading is not permitted.
 */
export async function requireReadPermission(handle: FileSystemDirectoryHandle): Promise<void> {
  if (!isPermitting(handle)) {
    return;
  }
  const state = await permissionOf(handle).catch((cause) => {
    throw notPermitted(handle.name, cause);
  });
  if (state !== "granted") {
    throw notPermitted(handle.name, state);
  }
}

async function permissionOf(handle: Permitting): Promise<PermissionState> {
  const state = await handle.queryPermission({ mode: "read" });
  if (state !== "prompt" || handle.requestPermission === undefined) {
    return state;
  }
  return handle.requestPermission({ mode: "read" });
}

function isPermitting(handle: object): handle is Permitting {
  return "queryPermission" in handle && typeof handle.queryPermission === "function";
}

function notPermitted(name: string, cause: unknown): TreeglassError {
  return new TreeglassError(
    "SourceUnreadable",
    `The browser does not permit reading the directory '${name}'; mount it inside a click handler, where the visitor can be asked, and allow it there.`,
    { cause },
  );
}
