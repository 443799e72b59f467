/** The base of the elements: importing them outside a browser does nothing. */

/**
 * `HTMLElement`, or outside a browser an empty class in its place: a server that renders pages can
 * import this module.
 */
// Outside a browser the class is only extended, never constructed.
export const ElementBase = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/** Applies a property that was set before the element was upgraded to its class. */
export function adoptEarly<Name extends string>(
  element: { [name in Name]: unknown },
  name: Name,
): void {
  if (Object.hasOwn(element, name)) {
    const value = element[name];
    Reflect.deleteProperty(element, name);
    element[name] = value;
  }
}

/** Returns whether no listener has prevented what follows. */
export function tell(element: Element, name: string, detail: unknown, cancelable = false): boolean {
  const options = { detail, bubbles: true, composed: true, cancelable };
  return element.dispatchEvent(new CustomEvent(name, options));
}

/** Defines an element under a name; does nothing if the name is taken, or outside a browser. */
export function defineElement(name: string, ownName: string, own: CustomElementConstructor): void {
  if (globalThis.customElements !== undefined && customElements.get(name) === undefined) {
    // A class can be defined under one name only.
    customElements.define(name, name === ownName ? own : class extends own {});
  }
}
