/** The fragment of the page's address: the linked tree, the open file, and the last call. */

import { effect } from "@preact/signals";
import type { CallText } from "../../ui/literals.ts";
import { type LinkedTree, readLink, writeLink } from "../state/linked-tree.ts";
import type { OpenFile } from "../state/marks.ts";
import type { MountedTree, PageState } from "../state/page-state.ts";
import { isComingBack } from "./kept-work.ts";
import { SAMPLES } from "./samples.ts";

/** Browsers refuse frequent changes of the address. */
const WRITE_DELAY_MS = 300;

/** The parameter of a tree without an address, so that its calls run on no other tree. */
const ELSEWHERE = "elsewhere";

export interface PageAddress {
  /** A text is what is wrong with it. */
  readonly link: LinkedTree | string | null;
  /** True if the file and the call belong to a tree that has no address. */
  readonly isElsewhere: boolean;
  readonly file: OpenFile | null;
  readonly call: CallText | null;
  /** The configuration of the tools, as JSON; empty for the defaults. */
  readonly config: string;
}

/** Returns what a fragment names; the inverse of `renderAddress`. */
export function readAddress(hash: string): PageAddress {
  const parameters = new URLSearchParams(hash.replace(/^#/, ""));
  const path = parameters.get("file");
  const [, first, last] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(parameters.get("lines") ?? "") ?? [];
  const lines = first === undefined ? null : { first: Number(first), last: Number(last ?? first) };
  return {
    link: readLink(parameters),
    isElsewhere: parameters.has(ELSEWHERE),
    file: path === null ? null : { path, lines },
    call: readCall(parameters),
    config: parameters.get("config") ?? "",
  };
}

function readCall(parameters: URLSearchParams): CallText | null {
  const toolName = parameters.get("tool");
  const budget = parameters.get("max_output_bytes") ?? "";
  const maxOutputBytes = /^\d{1,15}$/.test(budget) ? Number(budget) : null;
  const argumentsText = parameters.get("arguments") ?? "{}";
  return toolName === null ? null : { toolName, argumentsText, maxOutputBytes };
}

/** Returns the visitor's last call, which the address names. */
export function lastCall(page: PageState): CallText | undefined {
  return page.timeline.calls.value.filter(({ by }) => by === "you").at(-1);
}

/** Returns the fragment for the page as it is, or with another link of its tree. */
export function renderAddress(page: PageState, link = page.tree.value?.choice.link): string {
  const parameters = link === undefined ? new URLSearchParams() : writeLink(link);
  if (link === undefined && isElsewhere(page.tree.value)) {
    parameters.set(ELSEWHERE, "yes");
  }
  const file = page.openFile.value;
  if (file !== null) {
    parameters.set("file", file.path);
    if (file.lines !== null) {
      parameters.set("lines", `${file.lines.first}-${file.lines.last}`);
    }
  }
  const call = lastCall(page);
  if (call !== undefined) {
    parameters.set("tool", call.toolName);
    parameters.set("arguments", call.argumentsText);
    if (call.maxOutputBytes !== null) {
      parameters.set("max_output_bytes", String(call.maxOutputBytes));
    }
  }
  if (page.configuration.value !== null) {
    parameters.set("config", JSON.stringify(page.configuration.value));
  }
  const text = parameters.toString();
  return text === "" ? "" : `#${text}`;
}

/**
 * Writes the address after each change of the page; a new tree or file is an entry of the history.
 *
 * Back and Forward then open the file of that entry. `follow` gets an address that names another
 * tree, or that the visitor typed.
 */
export function keepAddress(page: PageState, follow: (address: PageAddress) => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  // The first tree opens by itself, so that Back leads away from the page.
  let place: string | null = null;
  let known = location.hash;
  effect(() => {
    const fragment = renderAddress(page);
    const next = placeOf(page);
    clearTimeout(timer);
    if (page.tree.value === null || isComingBack.value) {
      return;
    }
    if (fragment === known) {
      place = next;
      return;
    }
    timer = setTimeout(() => {
      const address = fragment === "" ? location.pathname + location.search : fragment;
      if (place === null || next === place) {
        history.replaceState(null, "", address);
      } else {
        history.pushState(null, "", address);
      }
      place = next;
      known = fragment;
    }, WRITE_DELAY_MS);
  });
  window.addEventListener("popstate", () => {
    const address = readAddress(location.hash);
    known = location.hash;
    const tree = page.tree.peek();
    const isSame = isSameLink(address.link, tree?.choice.link ?? null);
    if (isSame && address.isElsewhere === isElsewhere(tree)) {
      page.openFile.value = address.file;
      place = placeOf(page);
    } else {
      follow(address);
    }
  });
}

/** Names the tree and the file, apart from the lines. */
function placeOf(page: PageState): string {
  return `${page.tree.value?.number ?? 0} ${page.openFile.value?.path ?? ""}`;
}

function isElsewhere(tree: MountedTree | null): boolean {
  return tree !== null && tree.choice.link === undefined && tree.choice !== SAMPLES[0];
}

function isSameLink(link: PageAddress["link"], other: LinkedTree | null): boolean {
  if (link === null || other === null) {
    return link === null;
  }
  return typeof link !== "string" && link.kind === other.kind && link.specifier === other.specifier;
}
