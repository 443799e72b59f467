/** The class that the elements extend. */

/**
 * `HTMLElement`, or outside a browser an empty class in its place: a server that renders pages can
 * import this module.
 */
// Outside a browser the class is only extended, never constructed.
export const ElementBase = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);
