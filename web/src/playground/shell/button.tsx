/** A button with words; it submits its form only if its type says so. */

import type { ComponentChildren, ComponentProps } from "preact";

type ButtonProps = ComponentProps<"button"> & {
  readonly words: ComponentChildren;
};

export function Button({ words, ...attributes }: ButtonProps) {
  return (
    <button type="button" {...attributes}>
      {words}
    </button>
  );
}
