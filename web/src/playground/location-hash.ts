/** Reads and writes the fragment of the page's address, which names the tree, the view and the call. */

import type { CallDraft } from "./call-draft.ts";
import { type Comparison, readComparison, writeComparison } from "./compare/comparison.ts";
import { type LinkedTree, writeLink } from "./linked-tree.ts";
import { VIEW_NAMES, type ViewName } from "./view-names.ts";

/** The address changes only after a pause this long, because browsers refuse frequent changes. */
const WRITE_DELAY_MS = 300;

/** The parts of an address, apart from the call. */
export interface PagePlace {
  readonly link: LinkedTree | null;
  readonly view: ViewName;
  readonly comparison: Comparison;
}

/** Returns the fragment for a call and a place; the inverse of the functions that read a fragment. */
export function renderHash(draft: CallDraft, { link, view, comparison }: PagePlace): string {
  const parameters = new URLSearchParams();
  if (link !== null) {
    writeLink(link, parameters);
  }
  parameters.set("tool", draft.toolName);
  parameters.set("arguments", compact(draft.argumentsText));
  if (draft.maxOutputBytes !== null) {
    parameters.set("max_output_bytes", String(draft.maxOutputBytes));
  }
  if (view !== "console") {
    parameters.set("view", view);
  }
  if (view === "compare") {
    writeComparison(comparison, parameters);
  }
  return `#${parameters}`;
}

/** Returns the view that a fragment names; the console if it names none or an unknown one. */
export function readView(hash: string): ViewName {
  const named = parseHash(hash).get("view");
  return VIEW_NAMES.find((view) => view === named) ?? "console";
}

/** Returns the comparison that a fragment names; null if it names none. */
export function readComparedDirectory(hash: string): Comparison | null {
  return readComparison(parseHash(hash));
}

/** Fills the draft from a fragment, and returns whether the fragment names a call. */
export function readHash(hash: string, draft: CallDraft): boolean {
  const parameters = parseHash(hash);
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

/** Keeps the address up to date with the page, without new entries in the browser's history. */
export class AddressWriter {
  readonly #draft: CallDraft;
  readonly #place: () => PagePlace;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The fragment that was read or written last. */
  #known = "";

  /** Calls `place` whenever it writes the address. */
  constructor(draft: CallDraft, place: () => PagePlace) {
    this.#draft = draft;
    this.#place = place;
    draft.onChange(() => this.writeSoon());
  }

  /** Returns the address's fragment, and allows the writer to replace it. */
  read(): string {
    this.#known = location.hash;
    return this.#known;
  }

  /** Writes the address after a pause in the changes. */
  writeSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#write(), WRITE_DELAY_MS);
  }

  /** Returns the up-to-date address. */
  render(): string {
    return new URL(renderHash(this.#draft, this.#place()), location.href).href;
  }

  #write(): void {
    if (location.hash !== this.#known) {
      // The visitor has just followed a link: writing now would lose it before hashchange fires.
      return;
    }
    history.replaceState(history.state, "", renderHash(this.#draft, this.#place()));
    this.#known = location.hash;
  }
}

function parseHash(hash: string): URLSearchParams {
  return new URLSearchParams(hash.replace(/^#/, ""));
}

/** Leaves invalid JSON unchanged, since it may be wrong on purpose. */
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
