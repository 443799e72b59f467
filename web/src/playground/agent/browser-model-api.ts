/** The part of the Prompt API that the page uses; no browser's types know it yet. */

/** A conversation with the browser's own model. */
export interface BrowserModelSession {
  /** Resolves with a text, or with parts of which some are calls. */
  prompt(input: unknown, options: { readonly signal: AbortSignal }): Promise<unknown>;
  /** Gives the model's memory back; older browsers have none of it. */
  destroy?(): void;
}

/** What `LanguageModel` is in a browser that has one. */
export interface BrowserModelFactory {
  create(options: Readonly<Record<string, unknown>>): Promise<BrowserModelSession>;
}

/** Returns the browser's own model; null where it has none. */
export function findBrowserModel(): BrowserModelFactory | null {
  const found: unknown = Reflect.get(globalThis, "LanguageModel");
  const canCreate =
    found !== undefined &&
    found !== null &&
    typeof Reflect.get(Object(found), "create") === "function";
  // A host object with the method that was looked for.
  return canCreate ? (found as BrowserModelFactory) : null;
}
