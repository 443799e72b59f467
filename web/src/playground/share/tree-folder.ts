/** The commands that make the folder `tree` from a tree on the web. */

import type { LinkedTree } from "../state/linked-tree.ts";

/** Names that a shell takes as they are, also between double quotes. */
const PLAIN = /^[\w@.+~^-]+(?:\/[\w@.+~^-]+)?$/;

/** Returns the commands; empty for a tree that no command can fetch. */
export function makeFolder(link: LinkedTree | null): readonly string[] {
  switch (link?.kind) {
    case "url":
      return unpackAddress(new URL(link.specifier));
    case "npm":
      return PLAIN.test(link.specifier) ? unpackPackage(link.specifier) : [];
    case "github":
      return PLAIN.test(link.specifier) ? cloneRepository(link.specifier) : [];
    default:
      return [];
  }
}

function unpackAddress({ href, pathname }: URL): readonly string[] {
  const [, ending] = /\.(zip|whl|tar|tgz|tbz2|txz|tar\.(?:gz|bz2|xz))$/.exec(pathname) ?? [];
  if (ending === undefined) {
    return [];
  }
  const isZip = ending === "zip" || ending === "whl";
  // A shell replaces some characters that an address may have.
  const address = href.replace(/[$`!'"\\]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  const unpack = `python -m ${isZip ? "zipfile" : "tarfile"} -e tree.${ending} tree`;
  return [`curl -L -o tree.${ending} "${address}"`, unpack];
}

function unpackPackage(specifier: string): readonly string[] {
  const file = `${specifier.replace(/^@/, "").replace(/[/@]/g, "-")}.tgz`;
  return [
    `npm pack "${specifier}"`,
    "mkdir tree",
    `tar -xzf "${file}" -C tree --strip-components 1`,
  ];
}

function cloneRepository(specifier: string): readonly string[] {
  const [repository, version] = specifier.split("@");
  const clone = `git clone https://github.com/${repository} tree`;
  return version === undefined ? [clone] : [clone, `git -C tree checkout "${version}"`];
}
