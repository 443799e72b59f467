/** The clipboard, with and without a secure context. */

import { makeElement } from "./make-element.ts";

/** Puts exactly this text on the clipboard, and tells whether the browser let it. */
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
  const previous = document.activeElement;
  const area = makeElement("textarea", { class: "visually-hidden", readonly: true });
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  if (previous instanceof HTMLElement) {
    previous.focus();
  }
  return isCopied;
}
