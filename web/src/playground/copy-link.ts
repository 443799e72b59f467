/** The button that copies the page's address: the tree, the view and the call, and nothing said to an agent. */

import { copyText } from "../page-parts/copy-text.ts";
import { findElement } from "../page-parts/make-element.ts";
import type { StatusLine } from "./status-line.ts";

export interface PageLink {
  readonly address: string;
  /** Whether the address leads to the page's tree; one from this device has no address. */
  readonly isNamed: boolean;
}

const COPIED_MS = 1500;

export function startCopyLink(status: StatusLine, read: () => PageLink): void {
  const button = findElement("copy-link", HTMLButtonElement);
  const words = button.textContent;
  button.addEventListener("click", async () => {
    const { address, isNamed } = read();
    const isCopied = await copyText(address);
    button.textContent = isCopied ? "Copied" : "Refused";
    setTimeout(() => {
      button.textContent = words;
    }, COPIED_MS);
    status.say(sentenceFor(isCopied, isNamed));
  });
}

function sentenceFor(isCopied: boolean, isNamed: boolean): string {
  if (!isCopied) {
    return "The browser refused to copy; the link is the page's address.";
  }
  if (location.protocol === "file:") {
    return "Link copied; it opens this file, on this device. For somebody else, send the file along.";
  }
  return isNamed
    ? "Link copied"
    : "Link copied; it opens the sample, since a tree from this device has no address.";
}
