/** A call, and the tree it is made on, as the fragment of the page's address: to keep and to share. */

import type { CallDraft } from "./call-draft.ts";
import { type LinkedTree, writeLink } from "./linked-tree.ts";

/** How long the address waits for the typing to pause: browsers refuse frequent changes. */
const WRITE_DELAY_MS = 300;

/** Returns the fragment that describes a draft and a tree; the inverse of `readHash` and `readLink`. */
export function renderHash(draft: CallDraft, link: LinkedTree | null): string {
  const parameters = new URLSearchParams();
  if (link !== null) {
    writeLink(link, parameters);
  }
  parameters.set("tool", draft.toolName);
  parameters.set("arguments", compact(draft.argumentsText));
  if (draft.maxOutputBytes !== null) {
    parameters.set("max_output_bytes", String(draft.maxOutputBytes));
  }
  return `#${parameters}`;
}

/** Fills the draft from a fragment, and tells whether the fragment described a call. */
export function readHash(hash: string, draft: CallDraft): boolean {
  const parameters = new URLSearchParams(hash.replace(/^#/, ""));
  const toolName = parameters.get("tool");
  if (toolName === null) {
    return false;
  }
  const budget = parameters.get("max_output_bytes") ?? "";
  const maxOutputBytes = /^\d{1,15}$/.test(budget) ? Number(budget) : null;
  const values = parameters.get("arguments") ?? "{}";
  draft.replace(toolName, spread(values), maxOutputBytes);
  return true;
}

/** Keeps the address in step with draft and tree, without filling the browser's history. */
export class AddressWriter {
  readonly #draft: CallDraft;
  #link: LinkedTree | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(draft: CallDraft) {
    this.#draft = draft;
    draft.onChange(() => this.#writeSoon());
  }

  /** Names the tree that the address leads to; null for one that no address can name. */
  setLink(link: LinkedTree | null): void {
    this.#link = link;
    this.#writeSoon();
  }

  #writeSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      history.replaceState(history.state, "", renderHash(this.#draft, this.#link));
    }, WRITE_DELAY_MS);
  }
}

/** What is not JSON travels as it is: it may be wrong on purpose. */
function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

function spread(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
