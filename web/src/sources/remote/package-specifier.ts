/** Parses the names of packages. */
import { TreeglassError } from "../../protocol/errors.ts";
import type { PackageRegistry } from "../../protocol/source-kinds.ts";

export interface PackageName {
  readonly registry: PackageRegistry;
  /** `name`, `@scope/name` or `owner/repo`; safe in an address as it is. */
  readonly name: string;
  /** A version, a tag, a range or a ref; null if it is missing. */
  readonly version: string | null;
}

const MAX_SPECIFIER_CHARACTERS = 512;

const NPM = /^((?:@[A-Za-z0-9~_-][\w.~-]*\/)?[A-Za-z0-9~_-][\w.~-]*)(?:@(\P{Cc}+))?$/u;
const GITHUB = /^([A-Za-z0-9][A-Za-z0-9-]*\/(?!\.{1,2}(?:@|$))[\w.-]+)(?:@(\P{Cc}+))?$/u;

/** Parses a specifier; throws `BadRequest` if it is invalid. */
export function parseSpecifier(registry: PackageRegistry, specifier: string): PackageName {
  const form = registry === "npm" ? NPM : GITHUB;
  const match = specifier.length > MAX_SPECIFIER_CHARACTERS ? null : form.exec(specifier);
  const name = match?.[1];
  if (name === undefined) {
    const expected =
      registry === "npm"
        ? "an npm package is named 'name@version' or '@scope/name@version'"
        : "a GitHub repository is named 'owner/repo@ref'";
    throw new TreeglassError(
      "BadRequest",
      `${JSON.stringify(specifier.slice(0, MAX_SPECIFIER_CHARACTERS))} is not a package; ${expected}.`,
    );
  }
  return { registry, name, version: match?.[2] ?? null };
}

/** Returns a package for reports: `npm:name@version` or `github:owner/repo@ref`. */
export function shownPackage({ registry, name }: PackageName, version: string | null): string {
  const prefix = registry === "npm" ? "npm" : "github";
  return version === null ? `${prefix}:${name}` : `${prefix}:${name}@${version}`;
}
