/** The client beside this script: fetched when the first demo starts, and never before. */
import type * as ClientModule from "../index.ts";

/** Apart from its use: bundlers look for files by that expression. */
const moduleAddress = import.meta.url;

let failures = 0;

/** The imported client, or its import: another address would be another module. */
let asked: Promise<typeof ClientModule> | null = null;

/** The error class comes with the client, so a failed import needs its own error. */
class ClientNotLoaded extends Error {
  override readonly name = "TreeglassError";
  readonly kind = "StartFailed";

  constructor(cause: unknown) {
    super(
      "The tools could not be loaded: index.js, which lies beside element.js, did not arrive. Check the network and the page's policy (script-src), and run again.",
      { cause },
    );
  }
}

/**
 * Imports the client, once.
 *
 * Rejects with an error like a `TreeglassError` of the kind `StartFailed`; may be called again.
 */
export function loadClientModule(): Promise<typeof ClientModule> {
  asked ??= importClient().catch((error: unknown) => {
    asked = null;
    throw error;
  });
  return asked;
}

async function importClient(): Promise<typeof ClientModule> {
  try {
    return await import("../index.ts");
  } catch (cause) {
    failures += 1;
    if (failures > 1) {
      return importAnew(cause);
    }
    throw new ClientNotLoaded(cause);
  }
}

/** Firefox never retries a failed module at the same address; at another address it does. */
async function importAnew(cause: unknown): Promise<typeof ClientModule> {
  const address = new URL("index.js", moduleAddress);
  address.search = `retry=${failures}`;
  try {
    return await import(/* @vite-ignore */ /* webpackIgnore: true */ address.href);
  } catch {
    throw new ClientNotLoaded(cause);
  }
}
