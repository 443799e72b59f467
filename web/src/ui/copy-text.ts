/** Copies a text to the clipboard, with and without a secure context. */
import { makeElement } from "./make-element.ts";

/** Copies exactly this text; returns whether the browser allowed it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyThroughSelection(text);
  }
}

/** Copies by `execCommand`: a page on a plain http address has no `navigator.clipboard`. */
function copyThroughSelection(text: string): boolean {
  const previous = deepestFocus();
  const area = makeElement("textarea", { readonly: true });
  // Hidden by inline styles, since the page's own sheets may be any; fixed, so it cannot scroll.
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

/** Returns the focused element: for a focus in a shadow tree, the document names only the host. */
function deepestFocus(): Element | null {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) {
    focused = focused.shadowRoot.activeElement;
  }
  return focused;
}
