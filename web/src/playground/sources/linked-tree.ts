/** A tree on the web or inside a link, as the form and the page's address name it. */

import type { TreeSource } from "../../index.ts";
import { isArchiveText, readArchive } from "./link-archive.ts";

/** The kind of a linked tree, and the name of its parameter in the page's address. */
export type LinkKind = "url" | "npm" | "github" | "inside";

export interface LinkedTree {
  readonly kind: LinkKind;
  /** An address, `name@version`, `owner/repo@ref`, or a name and an archive in base64. */
  readonly specifier: string;
  /** The expected hash of the content, as in HTML's `integrity`; null if not given. */
  readonly integrity: string | null;
}

/** A fault of the visitor's input, and its field. */
export interface LinkProblem {
  readonly field: "specifier" | "integrity";
  readonly problem: string;
}

const LINK_KINDS = ["url", "npm", "github", "inside"] as const;
const INTEGRITY_PARAMETER = "integrity";

/** The hosts that serve npm packages and GitHub repositories: one lists the files, one sends them. */
const CDN_HOSTS = "data.jsdelivr.com and cdn.jsdelivr.net";

const NPM_SPECIFIER = /^(?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*(?:@\P{Cc}+)?$/u;
const GITHUB_SPECIFIER = /^[A-Za-z0-9][A-Za-z0-9-]*\/[\w.-]+(?:@\P{Cc}+)?$/u;
const GITHUB_ADDRESS = /^https:\/\/github\.com\/([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/;
const INTEGRITY = /^sha(?:256|384|512)-[A-Za-z0-9+/]{43,86}={0,2}(?: +sha\d{3}-\S+)*$/;

/** Returns the tree that the input names, or what is wrong with the input. */
export function checkLink(
  kind: LinkKind,
  typed: string,
  typedIntegrity = "",
): LinkedTree | LinkProblem {
  const specifier = kind === "github" ? typed.replace(GITHUB_ADDRESS, "$1") : typed;
  const problem = findProblem(kind, specifier);
  if (problem !== null) {
    return { field: "specifier", problem };
  }
  const integrity = kind === "url" && typedIntegrity !== "" ? typedIntegrity : null;
  if (integrity !== null && !INTEGRITY.test(integrity)) {
    return { field: "integrity", problem: "Write sha256- followed by the hash in base64." };
  }
  return { kind, specifier, integrity };
}

export function isLinkProblem(checked: LinkedTree | LinkProblem): checked is LinkProblem {
  return "problem" in checked;
}

function findProblem(kind: LinkKind, specifier: string): string | null {
  if (kind === "npm") {
    return NPM_SPECIFIER.test(specifier)
      ? null
      : "Write the name of a package, optionally with a version: fflate@0.8.2.";
  }
  if (kind === "github") {
    return GITHUB_SPECIFIER.test(specifier)
      ? null
      : "Write owner/repository, optionally with a branch, tag or commit: owner/repository@v1.";
  }
  if (kind === "inside") {
    return isArchiveText(specifier)
      ? null
      : "The link is damaged, perhaps cut by the program that sent it. Ask for it again.";
  }
  const address = parseAddress(specifier);
  if (address === null) {
    return "Write a full address that begins with https:// or http://.";
  }
  return address.username === "" && address.password === ""
    ? null
    : "Remove the user name and the password: browsers refuse an address that has them.";
}

function parseAddress(text: string): URL | null {
  try {
    const address = new URL(text);
    return /^https?:$/.test(address.protocol) ? address : null;
  } catch {
    return null;
  }
}

/** Returns the hosts that a fetch of such a tree contacts; null while the address is invalid. */
export function nameHosts(kind: LinkKind, specifier: string): string | null {
  return kind === "url" ? (parseAddress(specifier)?.host ?? null) : CDN_HOSTS;
}

/** Says which further hosts the page may contact later for such a tree, or an empty text. */
export function nameLaterHosts(kind: LinkKind): string {
  return kind === "url" ? " If it is a manifest, its files come from the hosts that it names." : "";
}

/** Returns the sender's name for a button that fetches such a tree; null while it is unknown. */
export function nameSender(kind: LinkKind, specifier: string): string | null {
  return kind === "url" ? nameHosts(kind, specifier) : "jsDelivr";
}

/** Returns the page's name for such a tree. */
export function nameLink({ kind, specifier }: LinkedTree): string {
  switch (kind) {
    case "url":
      return specifier;
    case "npm":
      return `npm package ${specifier}`;
    case "github":
      return `GitHub repository ${specifier}`;
    case "inside":
      return readArchive(specifier).name;
  }
}

/**
 * Returns the link with the exact version that was mounted; `origin` is from the mount's report.
 *
 * A stored link then leads to the same files even when a later version exists.
 */
export function pinLink(link: LinkedTree, origin: string | null): LinkedTree {
  const prefix = `${link.kind}:`;
  return link.kind !== "url" && origin?.startsWith(prefix)
    ? { ...link, specifier: origin.slice(prefix.length) }
    : link;
}

/** Returns the tree as a source for the client. */
export function toTreeSource({ kind, specifier, integrity }: LinkedTree): TreeSource {
  switch (kind) {
    case "url":
      return integrity === null ? { url: specifier } : { url: specifier, integrity };
    case "npm":
      return { npm: specifier };
    case "github":
      return { github: specifier };
    case "inside":
      return { archive: readArchive(specifier) };
  }
}

/** Returns the tree that an address's fragment names, or the problem with it; null if it names none. */
export function readLink(parameters: URLSearchParams): LinkedTree | LinkProblem | null {
  for (const kind of LINK_KINDS) {
    const specifier = parameters.get(kind);
    if (specifier !== null) {
      return checkLink(kind, specifier, parameters.get(INTEGRITY_PARAMETER) ?? "");
    }
  }
  return null;
}

/** Adds a tree to the parameters of an address's fragment; the inverse of `readLink`. */
export function writeLink({ kind, specifier, integrity }: LinkedTree, to: URLSearchParams): void {
  to.set(kind, specifier);
  if (integrity !== null) {
    to.set(INTEGRITY_PARAMETER, integrity);
  }
}
