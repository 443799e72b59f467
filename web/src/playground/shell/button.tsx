/** A button with words; it submits its form only if its type says so. */

import type { ComponentChildren, ComponentProps } from "preact";

type ButtonProps = ComponentProps<"button"> & {
  readonly words: ComponentChildren;
};

/** The second click of a double click must not stop what the first one began. */
export function keepFirstClick(event: MouseEvent): void {
  if (event.detail > 1) {
    event.preventDefault();
  }
}

export function Button({ words, ...attributes }: ButtonProps) {
  return (
    <button type="button" {...attributes}>
      {words}
    </button>
  );
}
