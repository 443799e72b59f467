/** Reads and writes the fragment of the page's address, which names the tree, the view and the call. */

import type { CallText } from "./call-record.ts";
import { type Comparison, readComparison, writeComparison } from "./compare/comparison.ts";
import { type LinkedTree, type LinkProblem, readLink, writeLink } from "./linked-tree.ts";
import { VIEW_NAMES, type ViewName } from "./view-names.ts";

/** The address changes only after a pause this long, because browsers refuse frequent changes. */
const WRITE_DELAY_MS = 300;

/** Everything that the fragment of an address names. */
export interface PageAddress {
  /** The linked tree, or the problem with it; null if the fragment names none. */
  readonly link: LinkedTree | LinkProblem | null;
  /** The console if the fragment names no view or an unknown one. */
  readonly view: ViewName;
  readonly comparison: Comparison | null;
  readonly call: CallText | null;
}

/** The state of the page that its address shows. */
export interface PageState extends PageAddress {
  readonly link: LinkedTree | null;
  readonly comparison: Comparison;
  readonly call: CallText;
}

/** Returns what a fragment names; the inverse of `renderAddress`. */
export function readAddress(hash: string): PageAddress {
  const parameters = new URLSearchParams(hash.replace(/^#/, ""));
  const named = parameters.get("view");
  return {
    link: readLink(parameters),
    view: VIEW_NAMES.find((view) => view === named) ?? "console",
    comparison: readComparison(parameters),
    call: readCall(parameters),
  };
}

/** Returns the fragment for a state of the page; it names a comparison only in that view. */
export function renderAddress({ link, view, comparison, call }: PageState): string {
  const parameters = new URLSearchParams();
  if (link !== null) {
    writeLink(link, parameters);
  }
  parameters.set("tool", call.toolName);
  parameters.set("arguments", compact(call.argumentsText));
  if (call.maxOutputBytes !== null) {
    parameters.set("max_output_bytes", String(call.maxOutputBytes));
  }
  if (view !== "console") {
    parameters.set("view", view);
  }
  if (view === "compare") {
    writeComparison(comparison, parameters);
  }
  return `#${parameters}`;
}

function readCall(parameters: URLSearchParams): CallText | null {
  const toolName = parameters.get("tool");
  if (toolName === null) {
    return null;
  }
  const budget = parameters.get("max_output_bytes") ?? "";
  return {
    toolName,
    argumentsText: spread(parameters.get("arguments") ?? "{}"),
    maxOutputBytes: /^\d{1,15}$/.test(budget) ? Number(budget) : null,
  };
}

/** Keeps the address up to date with the page, without new entries in the browser's history. */
export class AddressWriter {
  readonly #state: () => PageState;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The fragment that was read or written last. */
  #known = "";

  /** Calls `state` whenever it writes the address. */
  constructor(state: () => PageState) {
    this.#state = state;
  }

  /** Reads the address, and allows the writer to replace it. */
  read(): PageAddress {
    this.#known = location.hash;
    return readAddress(this.#known);
  }

  /** Writes the address after a pause in the changes. */
  writeSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#write(), WRITE_DELAY_MS);
  }

  /** Returns the up-to-date address. */
  render(): string {
    return new URL(renderAddress(this.#state()), location.href).href;
  }

  #write(): void {
    if (location.hash !== this.#known) {
      // The visitor has just followed a link: writing now would lose it before hashchange fires.
      return;
    }
    history.replaceState(history.state, "", renderAddress(this.#state()));
    this.#known = location.hash;
  }
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
