/** The client beside this script: fetched when the first demo starts, and never before. */
import type * as ClientModule from "../index.ts";

export type { ClientModule };

/** A client that cannot be fetched brings no class of errors either. */
export class ClientNotLoaded extends Error {
  override readonly name = "TreeglassError";
  readonly kind = "StartFailed";

  constructor(cause: unknown) {
    super(
      "The tools could not be loaded: index.js, beside element.js, did not arrive. Check the network and that the page's policy allows it, and run again.",
      { cause },
    );
  }
}

/**
 * Imports the client.
 *
 * Rejects with what looks like a `TreeglassError` of the kind `StartFailed`; may be asked again.
 */
export async function loadClientModule(): Promise<typeof ClientModule> {
  try {
    return await import("../index.ts");
  } catch (cause) {
    throw new ClientNotLoaded(cause);
  }
}
