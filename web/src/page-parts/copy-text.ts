/** The clipboard, with and without a secure context. */

import { makeElement } from "./make-element.ts";

/** Copies exactly this text to the clipboard, and tells whether the browser allowed it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyThroughSelection(text);
  }
}

/** A page on a plain http address has no clipboard object, only the old command. */
function copyThroughSelection(text: string): boolean {
  const previous = deepestFocus();
  const area = makeElement("textarea", { readonly: true });
  // Hidden without a style sheet of the page, which may be foreign; fixed, so that nothing scrolls.
  Object.assign(area.style, { position: "fixed", inset: "0 auto auto 0", opacity: "0" });
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  if (previous instanceof HTMLElement) {
    previous.focus({ preventScroll: true });
  }
  return isCopied;
}

/** Returns the focused element; for a focus in a shadow tree the document returns only its host. */
function deepestFocus(): Element | null {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) {
    focused = focused.shadowRoot.activeElement;
  }
  return focused;
}
