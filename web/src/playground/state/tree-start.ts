/** Finds what the page shows with a tree at first: what an address names in it, or its README. */

import type { TreeEntry, TreeglassClient } from "../../index.ts";
import { escapePath } from "../../lib/spelling.ts";
import { virtualPath } from "../tool-notes.ts";
import type { ChosenTree } from "./linked-tree.ts";
import { type OpenFile, pathBelowMount } from "./marks.ts";

export interface TreeStart {
  readonly file: OpenFile | null;
  /** The folder that the visitor asked for; null without one. */
  readonly folder: string | null;
  /** The section that a phone shows; null where the visitor asked for no place. */
  readonly section: "files" | "file" | null;
  /** The sentence about a place that the tree does not have; empty without one. */
  readonly refusal: string;
}

const NOTHING: TreeStart = { file: null, folder: null, section: null, refusal: "" };

/** More entries of one folder are not looked through. */
const MAX_ENTRIES = 100_000;

/** The names that code hosts show with a folder, the best first. */
const README_NAMES = [/^readme\.(?:md|markdown)$/i, /^readme$/i, /^readme\.rst$/i, /^readme\./i];

/** Resolves for a tree that is mounted; an error of a listing counts as an empty folder. */
export async function findStart(
  client: TreeglassClient,
  { first, name }: ChosenTree,
): Promise<TreeStart> {
  if (first === null) {
    return NOTHING;
  }
  if (first === undefined) {
    return { ...NOTHING, file: await findReadme(client) };
  }
  const { path } = first;
  const above = path.split("/").slice(0, -1).join("/");
  const found = (await list(client, above)).find((entry) => entry.path === virtualPath(path));
  if (found?.kind === "directory") {
    return { ...NOTHING, folder: path, section: "files" };
  }
  if (found !== undefined) {
    return { ...NOTHING, file: first, section: "file" };
  }
  const refusal = `The address names ${path}, but ${escapePath(name)} has no such file or folder. Choose a file in the tree, or check the branch and the path of the address.`;
  return { ...NOTHING, file: await findReadme(client), refusal };
}

/** Looks in the root, or in the one folder that the root has. */
async function findReadme(client: TreeglassClient): Promise<OpenFile | null> {
  const root = await list(client, "");
  const [only, ...others] = root;
  const isFolder = only?.kind === "directory" && others.length === 0;
  const entries = isFolder ? await list(client, pathBelowMount(only.path) ?? "") : root;
  const files = entries.filter(({ kind }) => kind === "file" || kind === "symlink");
  for (const pattern of README_NAMES) {
    const found = files.find(({ path }) => pattern.test(path.slice(path.lastIndexOf("/") + 1)));
    const path = found && pathBelowMount(found.path);
    if (path) {
      return { path, lines: null };
    }
  }
  return null;
}

async function list(client: TreeglassClient, path: string): Promise<readonly TreeEntry[]> {
  try {
    return (await client.listEntries(virtualPath(path), { limit: MAX_ENTRIES })).entries;
  } catch {
    return [];
  }
}
