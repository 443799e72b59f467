/**
 * A type that pages have; where no types of a browser are around, there is nothing of it.
 *
 * By its name alone, programs of Node could not check their types against this package.
 */
export type DomType<Name extends string> = typeof globalThis extends {
  readonly [Global in Name]: { readonly prototype: infer Value };
}
  ? Value
  : never;
