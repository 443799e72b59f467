/** Loads the client, `index.js` beside this script, when the first demo starts. */
import type * as ClientModule from "../index.ts";

let failures = 0;

/**
 * The import that succeeded or is under way. All demos share it, since an import from a second
 * address would load a second module.
 */
let importing: Promise<typeof ClientModule> | null = null;

/** Looks like a `TreeglassError`, whose class is in the module that did not load. */
class ClientNotLoaded extends Error {
  override readonly name = "StartFailed";

  constructor(cause: unknown) {
    super(
      "The tools could not be loaded: index.js, the file beside element.js, did not load. Check the network and the page's policy (script-src), and run again.",
      { cause },
    );
  }
}

/**
 * Imports the client once for all callers.
 *
 * Rejects with an error that has the name `StartFailed`. The next call tries again.
 */
export function loadClientModule(): Promise<typeof ClientModule> {
  importing ??= importClient().catch((error: unknown) => {
    importing = null;
    throw error;
  });
  return importing;
}

async function importClient(): Promise<typeof ClientModule> {
  try {
    return await import("../index.ts");
  } catch (cause) {
    failures += 1;
    if (failures > 1) {
      return importFromNewAddress(cause);
    }
    throw new ClientNotLoaded(cause);
  }
}

/** Imports from a new address, since Firefox never retries the address of a failed import. */
async function importFromNewAddress(cause: unknown): Promise<typeof ClientModule> {
  // Without `new URL`: bundlers would look for a file to bundle.
  const address = import.meta.url.replace(/[^/]*([?#].*)?$/, `index.js?retry=${failures}`);
  try {
    return await import(address);
  } catch {
    throw new ClientNotLoaded(cause);
  }
}
