/** Reads what a visitor types or pastes to name a tree on the web. */

import { checkLink, type LinkedTree } from "./linked-tree.ts";

const GITHUB_ADDRESS =
  /^https:\/\/github\.com\/([\w.-]+)\/([\w.-]+?)(?:\.git)?(?:\/(?:tree|blob)\/([^/?#]+).*)?\/?$/;
const NPM_ADDRESS =
  /^https:\/\/(?:www\.)?npmjs\.com\/package\/((?:@[^/]+\/)?[^/?#]+)(?:\/v\/([^/?#]+))?\/?$/;
const PREFIXED = /^(npm|github):(.+)$/;

/** The name of a GitHub repository alone; a package of npm needs its prefix. */
const REPOSITORY = /^[A-Za-z0-9][\w-]*\/[\w.-]+(?:@\S+)?$/;

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
    const version = branch === undefined ? "" : `@${decodeURIComponent(branch)}`;
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

const HOW_TO_NAME =
  "Paste the address of a GitHub repository or of an archive, or write npm: and the name of a package.";
