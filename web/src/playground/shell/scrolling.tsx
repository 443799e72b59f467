/** A box that scrolls by itself; it has a tab stop, so that the keyboard reaches all of it. */

import type { ComponentChildren } from "preact";

interface ScrollingProps {
  readonly label: string;
  readonly onKeyDown?: (event: KeyboardEvent & { readonly currentTarget: HTMLElement }) => void;
  readonly children: ComponentChildren;
}

export function Scrolling({ label, children, ...keys }: ScrollingProps) {
  return (
    // biome-ignore lint/a11y: the keyboard scrolls it; as a section each box would be a landmark
    <div class="scrolling" role="group" tabIndex={0} aria-label={label} dir="ltr" {...keys}>
      {children}
    </div>
  );
}
