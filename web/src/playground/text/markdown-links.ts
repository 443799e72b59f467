/** Reads the links of an answer: addresses of the web, and files of the mounted tree. */

import { type Signal, signal } from "@preact/signals";
import { type OpenFile, pathBelowMount } from "../state/marks.ts";
import type { PageState } from "../state/page-state.ts";

/** A path with an optional line or range: `src/a.py:3`, `src/a.py#L3-L9`. */
const FILE = /^(?<path>[^\s:#?*<>"|]+?)(?:(?::|#L)(?<first>\d{1,9})(?:[-–]L?(?<last>\d{1,9}))?)?$/;

/** Returns the address of a link that leads to the web; null for every other link. */
export function webAddress(href: string): string | null {
  return /^https?:\/\/[^\s]+$/i.test(href) && URL.canParse(href) ? new URL(href).href : null;
}

/** Returns the file that a text may name; null for a text that is no path of a file. */
export function readNamedFile(text: string): OpenFile | null {
  const groups = FILE.exec(text.trim())?.groups;
  const spelled = groups?.path ?? "";
  const path = /[./]/.test(spelled) ? pathBelowMount(spelled) : null;
  if (path === null || path === "") {
    return null;
  }
  const first = Number(groups?.first ?? 0);
  const last = Math.max(first, Number(groups?.last ?? 0));
  return { path, lines: first === 0 ? null : { first, last } };
}

/** The kinds of the paths of each page's tree; asked once each. */
const known = new WeakMap<PageState, Map<string, Signal<boolean>>>();

/** Returns whether a file is in the mounted tree; false until the tree has answered. */
export function isFileThere(page: PageState, path: string): boolean {
  const paths = known.get(page) ?? new Map<string, Signal<boolean>>();
  known.set(page, paths);
  const key = `${page.tree.value?.number ?? 0}:${path}`;
  let isThere = paths.get(key);
  if (isThere === undefined) {
    isThere = signal(false);
    paths.set(key, isThere);
    void ask(page, path, isThere);
  }
  return isThere.value;
}

/** Asks by a listing, which reads no content: of a file it says that this is no directory. */
async function ask(page: PageState, path: string, isThere: Signal<boolean>): Promise<void> {
  try {
    const client = await page.client();
    const { error } = await client.callTool("LS", { path, limit: 1 });
    isThere.value = error?.kind === "INVALID_PARAM";
  } catch {
    // The client does not answer, so the text is no link.
  }
}
