/** A box that scrolls by itself; it has a tab stop, so that the keyboard reaches all of it. */

import type { ComponentChildren } from "preact";

export function Scrolling(props: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
    <section class="scrolling" tabIndex={0} aria-label={props.label} dir="ltr">
      {props.children}
    </section>
  );
}
