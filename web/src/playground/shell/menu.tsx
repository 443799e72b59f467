/** A button that opens a list of choices: a disclosure, closed by Escape, by a choice or outside. */

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

interface MenuProps {
  readonly label: ComponentChildren;
  /** The name of the button, where its text is a sign. */
  readonly name?: string;
  /** Any content; a click on a link or a button closes the menu, unless the button is quiet. */
  readonly children: ComponentChildren;
  readonly onToggle?: (isOpen: boolean) => void;
}

export function Menu({ label, name, children, onToggle }: MenuProps) {
  const id = useId();
  const details = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (details.current !== null) {
      details.current.open = false;
    }
  };
  useEffect(() => {
    const closeOutside = (event: Event) => {
      const isInside = event.target instanceof Node && details.current?.contains(event.target);
      if (isInside !== true) {
        close();
      }
    };
    document.addEventListener("pointerdown", closeOutside);
    return () => document.removeEventListener("pointerdown", closeOutside);
  }, []);
  return (
    <details
      class="menu"
      ref={details}
      onToggle={({ currentTarget }) => onToggle?.(currentTarget.open)}
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          close();
          event.currentTarget.querySelector("summary")?.focus();
        }
      }}
    >
      <summary aria-label={name} aria-controls={id}>
        {label}
      </summary>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: it closes after the click of a control inside */}
      <div
        class="menu-box stack"
        id={id}
        onClick={(event) => {
          if (
            event.target instanceof Element &&
            event.target.closest("a, button:not(.quiet)") !== null
          ) {
            close();
          }
        }}
      >
        {children}
      </div>
    </details>
  );
}
