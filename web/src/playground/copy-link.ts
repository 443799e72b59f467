/** The button that copies the page's address: tree, view and call, but no conversation with an agent. */

import { copyText } from "../page-parts/copy-text.ts";
import { findElement } from "../page-parts/make-element.ts";
import type { StatusLine } from "./status-line.ts";

export interface PageLink {
  readonly address: string;
  /** Whether the address leads to the page's tree; a tree from this device has no address. */
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
    return "The browser refused to copy. The link is the page's address.";
  }
  if (location.protocol === "file:") {
    return "Link copied. It opens this file on this device: to share it, send the file too.";
  }
  return isNamed
    ? "Link copied"
    : "Link copied. It opens the sample, since a tree from this device has no address.";
}
