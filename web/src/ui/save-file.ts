/** Lets the browser download what the page has made. */
import { makeElement } from "./make-element.ts";

const RELEASE_MS = 60_000;

export function saveFile(fileName: string, content: Blob): void {
  const href = URL.createObjectURL(content);
  makeElement("a", { href, download: fileName }).click();
  // The browser reads the address after the click has ended.
  setTimeout(() => URL.revokeObjectURL(href), RELEASE_MS);
}
