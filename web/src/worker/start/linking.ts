/** Links a module whose code may be in two parts; see `late-code.ts`. */

/** A module's imports, and what to take for its instance. */
export interface Linked {
  readonly imports: WebAssembly.Imports;
  finish(instance: WebAssembly.Instance): WebAssembly.Instance;
}

/** Completes the imports of a module before it is instantiated. */
export type Link = (code: WebAssembly.Module, imports: WebAssembly.Imports) => Linked;

/** The same for a module that is whole. */
export const asItIs: Link = (_, imports) => ({ imports, finish: (instance) => instance });
