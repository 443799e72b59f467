/** The part of the Prompt API that the page uses; TypeScript's browser types do not have it yet. */

/** A conversation with the browser's own model. */
export interface BrowserModelSession {
  /** Resolves with a text, or with a list of parts; some parts may be calls. */
  prompt(input: unknown, options: { readonly signal: AbortSignal }): Promise<unknown>;
  /** Frees the model's memory; absent in older browsers. */
  destroy?(): void;
}

/** The type of the global `LanguageModel`. */
export interface BrowserModelFactory {
  create(options: Readonly<Record<string, unknown>>): Promise<BrowserModelSession>;
}

/** Returns the browser's own model; null if it has none. */
export function findBrowserModel(): BrowserModelFactory | null {
  const found: unknown = Reflect.get(globalThis, "LanguageModel");
  const canCreate =
    found !== undefined &&
    found !== null &&
    typeof Reflect.get(Object(found), "create") === "function";
  // The check above has found the method on the browser's object.
  return canCreate ? (found as BrowserModelFactory) : null;
}
