/** A tree that lies elsewhere, as a visitor names it: in the form, and in the page's address. */

import type { TreeSource } from "../index.ts";

/** A kind is also its parameter in the address of the page. */
export type LinkKind = "url" | "npm" | "github";

export interface LinkedTree {
  readonly kind: LinkKind;
  /** An address, `name@version`, or `owner/repo@ref`. */
  readonly specifier: string;
  /** What the content of an address has to hash to, as in HTML; null where nobody said. */
  readonly integrity: string | null;
}

/** What is wrong with what was typed, and in which field. */
export interface LinkProblem {
  readonly field: "specifier" | "integrity";
  readonly problem: string;
}

const LINK_KINDS = ["url", "npm", "github"] as const;
const INTEGRITY_PARAMETER = "integrity";

/** Who serves npm packages and GitHub repositories: the one tells the files, the other sends them. */
const CDN_HOSTS = "data.jsdelivr.com and cdn.jsdelivr.net";

const NPM_SPECIFIER = /^(?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*(?:@\P{Cc}+)?$/u;
const GITHUB_SPECIFIER = /^[A-Za-z0-9][A-Za-z0-9-]*\/[\w.-]+(?:@\P{Cc}+)?$/u;
const GITHUB_ADDRESS = /^https:\/\/github\.com\/([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/;
const INTEGRITY = /^sha(?:256|384|512)-[A-Za-z0-9+/]{43,86}={0,2}(?: +sha\d{3}-\S+)*$/;

/** Returns the tree that was typed, or what is wrong with it. */
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
    return { field: "integrity", problem: "Write it as sha256-, and the hash in base64 after it." };
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
      : "Write a package's name, with its version if you like: fflate@0.8.2.";
  }
  if (kind === "github") {
    return GITHUB_SPECIFIER.test(specifier)
      ? null
      : "Write owner/repository, with a branch, tag or commit if you like: owner/repository@v1.";
  }
  const address = parseAddress(specifier);
  if (address === null) {
    return "Write a whole address that begins with https:// or http://.";
  }
  return address.username === "" && address.password === ""
    ? null
    : "Leave the name and the password out of the address: browsers refuse it with them.";
}

function parseAddress(text: string): URL | null {
  try {
    const address = new URL(text);
    return /^https?:$/.test(address.protocol) ? address : null;
  } catch {
    return null;
  }
}

/** Returns the hosts that fetching such a tree contacts; null while the address is none yet. */
export function nameHosts(kind: LinkKind, specifier: string): string | null {
  return kind === "url" ? (parseAddress(specifier)?.host ?? null) : CDN_HOSTS;
}

/** Says whom else such a tree may have the page ask, later; empty for nobody. */
export function nameLaterHosts(kind: LinkKind): string {
  return kind === "url" ? " If it is a manifest, reading its files asks the hosts it names." : "";
}

/** Returns whom a button asks that fetches such a tree. */
export function nameSender(kind: LinkKind, specifier: string): string | null {
  return kind === "url" ? nameHosts(kind, specifier) : "jsDelivr";
}

/** Returns what the page calls such a tree. */
export function nameLink({ kind, specifier }: LinkedTree): string {
  switch (kind) {
    case "url":
      return specifier;
    case "npm":
      return `npm package ${specifier}`;
    case "github":
      return `GitHub repository ${specifier}`;
  }
}

/**
 * Returns a tree that was fetched by its exact version, which a mount reports as its origin.
 *
 * So a link that is kept leads to the same files when there is a later version.
 */
export function pinLink(link: LinkedTree, origin: string | null): LinkedTree {
  const prefix = `${link.kind}:`;
  return link.kind !== "url" && origin?.startsWith(prefix)
    ? { ...link, specifier: origin.slice(prefix.length) }
    : link;
}

/** Returns the tree as the client takes it. */
export function toTreeSource({ kind, specifier, integrity }: LinkedTree): TreeSource {
  switch (kind) {
    case "url":
      return integrity === null ? { url: specifier } : { url: specifier, integrity };
    case "npm":
      return { npm: specifier };
    case "github":
      return { github: specifier };
  }
}

/** Returns the tree, or the problem, that an address's fragment names; null where it names none. */
export function readLink(hash: string): LinkedTree | LinkProblem | null {
  const parameters = new URLSearchParams(hash.replace(/^#/, ""));
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
