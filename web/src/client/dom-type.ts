/**
 * A type of the browser, or `never` in a program without the browser's types.
 *
 * The plain name would be unknown to a Node program that checks its types against this package.
 */
export type DomType<Name extends string> = typeof globalThis extends {
  readonly [Global in Name]: { readonly prototype: infer Value };
}
  ? Value
  : never;
