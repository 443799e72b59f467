/** The text by which a visitor names a tree on the web, and what that text names inside of it. */

import { escapePath } from "../../lib/spelling.ts";
import { checkLink, type LinkedTree, nameHosts, nameLink } from "../state/linked-tree.ts";
import type { OpenFile } from "../state/marks.ts";

/** Its groups are the owner, the repository, the branch, the path, and the fragment. */
const GITHUB_ADDRESS =
  /^https:\/\/github\.com\/([\w.-]+)\/([\w.-]+?)(?:\.git)?(?:\/(?:tree|blob)\/([^/?#]+)(?:\/([^?#]*))?)?\/?(?:\?[^#]*)?(?:#(.*))?$/;
const GITHUB_LINES = /^L(\d{1,9})(?:C\d+)?(?:-L(\d{1,9})(?:C\d+)?)?$/;
const NPM_ADDRESS =
  /^https:\/\/(?:www\.)?npmjs\.com\/package\/((?:@[^/]+\/)?[^/?#]+)(?:\/v\/([^/?#]+))?\/?$/;
const PREFIXED = /^(npm|github):(.+)$/;

/** The name of a GitHub repository alone; a package of npm needs its prefix. */
const REPOSITORY = /^[A-Za-z0-9][\w-]*\/[\w.-]+(?:@\S+)?$/;

const HOW_TO_NAME =
  "Paste the address of a GitHub repository or of an archive, or write npm: and the name of a package.";

/**
 * Returns the tree that a text names, or what is wrong with it.
 *
 * `https://github.com/owner/repo/tree/branch`, `owner/repo@v1`, `npm:fflate`, or the address of an
 * archive.
 */
export function readTypedSource(text: string, integrity = ""): LinkedTree | string {
  const typed = text.trim();
  const [, owner, repository, branch] = GITHUB_ADDRESS.exec(typed) ?? [];
  if (owner !== undefined) {
    const version = branch === undefined ? "" : `@${decode(branch)}`;
    return checkLink("github", `${owner}/${repository}${version}`);
  }
  const [, name, version] = NPM_ADDRESS.exec(typed) ?? [];
  if (name !== undefined) {
    return checkLink("npm", version === undefined ? name : `${name}@${version}`);
  }
  const [, kind, specifier = ""] = PREFIXED.exec(typed) ?? [];
  if (kind === "npm" || kind === "github") {
    return checkLink(kind, specifier);
  }
  if (REPOSITORY.test(typed)) {
    return checkLink("github", typed);
  }
  return /^https?:/i.test(typed) ? checkLink("url", typed, integrity) : HOW_TO_NAME;
}

/**
 * Returns the file or the folder that a GitHub address names below its branch.
 *
 * A branch whose name has a slash is cut at it: the address does not tell where the branch ends.
 */
export function readTypedPlace(text: string): OpenFile | undefined {
  const [, , , , below = "", fragment = ""] = GITHUB_ADDRESS.exec(text.trim()) ?? [];
  const path = escapePath(decode(below).replace(/\/+$/, ""));
  const [, first, last] = GITHUB_LINES.exec(fragment) ?? [];
  const lines = first === undefined ? null : { first: Number(first), last: Number(last ?? first) };
  return path === "" ? undefined : { path, lines };
}

/** Says what Open does with the typed text. */
export function wordLink(text: string, read: LinkedTree | string): string {
  if (typeof read === "string") {
    return "Nothing is fetched before you press Open.";
  }
  const place = readTypedPlace(text);
  const then = place === undefined ? "" : ` Then it shows ${wordPlace(place)}.`;
  return `Opens ${nameLink(read)} from ${nameHosts(read)}${then}`;
}

function wordPlace({ path, lines }: OpenFile): string {
  if (lines === null) {
    return path;
  }
  const { first, last } = lines;
  return first === last ? `${path} at line ${first}` : `${path} at lines ${first} to ${last}`;
}

/** Returns the text that names a tree; the inverse of `readTypedSource`. */
export function spellSource(link?: LinkedTree): string {
  return link === undefined || link.kind === "url"
    ? (link?.specifier ?? "")
    : `${link.kind}:${link.specifier}`;
}

/** A visitor may type a `%` that begins no code. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
