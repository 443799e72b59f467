/** A tree on the web or inside a link, as the form and the page's address name it. */

import type { TreeSource } from "../../index.ts";
import { fromBase64, toBase64 } from "../../lib/base64.ts";
import type { OpenFile } from "./marks.ts";

/** The kind of a linked tree, and the name of its parameter in the page's address. */
export type LinkKind = "url" | "npm" | "github" | "inside";

export interface LinkedTree {
  readonly kind: LinkKind;
  /** An address, `name@version`, `owner/repo@ref`, or a name and an archive in base64. */
  readonly specifier: string;
  /** The expected hash of the content, as in HTML's `integrity`; null if not given. */
  readonly integrity: string | null;
}

/** Fetches a file that lies beside the page; `fetch`, unless the page holds the files itself. */
export type FetchFile = (address: string, init: RequestInit) => Promise<Response>;

/** A tree that a visitor chose to mount; choosing it mounts nothing yet. */
export interface ChosenTree {
  readonly name: string;
  /** Opens the tree; only this call and the mount fetch anything. */
  readonly open: (signal: AbortSignal, fetchFile: FetchFile) => Promise<TreeSource>;
  /** The file or the folder that is shown first, or null for none; the tree's README without. */
  readonly first?: OpenFile | null | undefined;
  /** The tree's link, if the tree can be fetched again; the page's address names it. */
  readonly link?: LinkedTree;
  /** The link of a tree that lies beside the page, for other pages and programs. */
  readonly beside?: LinkedTree;
}

/** Returns the choice of a linked tree; nothing is fetched before it is mounted. */
export function choiceOfLink(link: LinkedTree, first?: ChosenTree["first"]): ChosenTree {
  return { name: nameLink(link), open: async () => toTreeSource(link), link, first };
}

const LINK_KINDS = ["url", "npm", "github", "inside"] as const;
const INTEGRITY_PARAMETER = "integrity";

/** The hosts that serve npm packages and GitHub repositories: one lists the files, one sends them. */
const CDN_HOSTS = "data.jsdelivr.com and cdn.jsdelivr.net";

const NPM_SPECIFIER = /^(?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*(?:@\P{Cc}+)?$/u;
const GITHUB_SPECIFIER = /^[A-Za-z0-9][A-Za-z0-9-]*\/[\w.-]+(?:@\P{Cc}+)?$/u;
const INTEGRITY = /^sha(?:256|384|512)-[A-Za-z0-9+/]{43,86}={0,2}(?: +sha\d{3}-\S+)*$/;

/** Returns the tree that the input names, or a sentence about what is wrong with the input. */
export function checkLink(
  kind: LinkKind,
  specifier: string,
  typedIntegrity = "",
): LinkedTree | string {
  const integrity = kind === "url" && typedIntegrity !== "" ? typedIntegrity : null;
  const problem = findProblem(kind, specifier);
  if (problem === null && integrity !== null && !INTEGRITY.test(integrity)) {
    return "Write sha256- followed by the hash in base64.";
  }
  return problem ?? { kind, specifier, integrity };
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
  const address = readWebAddress(specifier);
  if (address === null) {
    return "Write a full address that begins with https:// or http://.";
  }
  return hasUser(address)
    ? "Remove the user name and the password: browsers refuse an address that has them."
    : null;
}

/** Returns a full address of the web; null for every other text. */
export function readWebAddress(text: string): URL | null {
  const address = URL.canParse(text) ? new URL(text) : null;
  return address !== null && /^https?:$/.test(address.protocol) ? address : null;
}

export function hasUser({ username, password }: URL): boolean {
  return username !== "" || password !== "";
}

/** Returns the end of a sentence about the hosts that a fetch of a tree contacts, now and later. */
export function nameHosts(link: LinkedTree): string {
  return link.kind === "url"
    ? `${nameSender(link)}. If it is a manifest, its files come from the hosts that it names.`
    : `${CDN_HOSTS}.`;
}

/** Returns the sender's name for a button that fetches a tree. */
export function nameSender({ kind, specifier }: LinkedTree): string {
  return kind === "url" ? new URL(specifier).host : "jsDelivr";
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

function toTreeSource({ kind, specifier, integrity }: LinkedTree): TreeSource {
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
export function readLink(parameters: URLSearchParams): LinkedTree | string | null {
  for (const kind of LINK_KINDS) {
    const specifier = parameters.get(kind);
    if (specifier !== null) {
      return checkLink(kind, specifier, parameters.get(INTEGRITY_PARAMETER) ?? "");
    }
  }
  return null;
}

/** Returns a tree as the parameters of an address's fragment; the inverse of `readLink`. */
export function writeLink({ kind, specifier, integrity }: LinkedTree): URLSearchParams {
  const link = { [kind]: specifier };
  return new URLSearchParams(
    integrity === null ? link : { ...link, [INTEGRITY_PARAMETER]: integrity },
  );
}

/** Returns an archive as the text of a link: its name, and its bytes in base64 for addresses. */
export function spellArchive(name: string, bytes: Uint8Array): string {
  const spelled = toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return `${encodeURIComponent(name)}:${spelled}`;
}

function isArchiveText(spelled: string): boolean {
  try {
    return /^[^:]+:[\w-]+$/.test(spelled) && readArchive(spelled).size > 0;
  } catch {
    return false;
  }
}

/** Returns the archive; the inverse of `spellArchive`. */
function readArchive(spelled: string): File {
  const [name = "", base64 = ""] = spelled.split(":");
  const bytes = fromBase64(base64.replaceAll("-", "+").replaceAll("_", "/"));
  return new File([bytes], decodeURIComponent(name));
}
