/** A package of a registry, from a content delivery network that serves its files unpacked. */
import { TreeglassError } from "../../protocol/errors.ts";
import type { PackageHosts, PackageRegistry, SourceOf } from "../../protocol/source-kinds.ts";
import type { SourceContext } from "../source-context.ts";
import { encodeName, encodePath, shownAddress } from "./addresses.ts";
import { FetchFault, fetchBytes, refusalOf, reportFetch } from "./fetch-bytes.ts";
import { addListed, type ListValue, MAX_LIST_BYTES, parseList } from "./json-list.ts";
import { remoteContent, toArray } from "./remote-files.ts";

/** An exact version; anything else is a tag or a range. */
const EXACT_VERSION = /^\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$/;
const ANSWERED_VERSION = /^[\w.+~-]{1,256}$/;
const SHA256_BASE64 = /^[A-Za-z0-9+/]{43}=$/;

/**
 * Lists a package; its files are fetched when they are read.
 *
 * Throws `BadRequest` for an invalid specifier, and `SourceUnreadable` if the package cannot be
 * fetched or a response of the service is invalid.
 */
export async function openPackage(
  source: SourceOf<"package">,
  context: SourceContext,
): Promise<void> {
  const name = parseSpecifier(source.registry, source.specifier);
  const { version, files } = await listFiles(name, source.hosts, context);
  context.builder.report.origin = shownPackage(name, version);
  const base = `${source.hosts.files}${pathOf(name, version)}/`;
  await addListed(files, context, (file) => addFile(file, base, context));
}

function addFile(file: ListValue, base: string, { builder }: SourceContext): void {
  // The service's paths start at the package's root, which is the mount point.
  const path = file.member("name").text().replace(/^\//, "");
  const sizeBytes = file.member("size").count();
  const sha256 = file.member("hash").textOf(SHA256_BASE64, "a SHA-256 in base64");
  const address = `${base}${encodePath(path)}`;
  const content = remoteContent({ sizeBytes, address, sha256, sendsCookies: true });
  builder.addFile(path, sizeBytes, 0, content);
}

async function listFiles(
  name: PackageName,
  hosts: PackageHosts,
  context: SourceContext,
): Promise<{ readonly version: string; readonly files: ListValue }> {
  const { registry, version } = name;
  const isListed = registry === "npm" ? EXACT_VERSION.test(version ?? "") : version !== null;
  if (isListed && version !== null) {
    const files = await askFiles(name, version, hosts, context);
    if (files !== null) {
      return { version, files };
    }
  }
  // The service lists GitHub's tags without their leading v, and a range is not a ref.
  const resolved =
    isListed && registry === "npm" ? null : await resolveVersion(name, hosts, context);
  const files =
    resolved === null || resolved === version
      ? null
      : await askFiles(name, resolved, hosts, context);
  if (resolved === null || files === null) {
    throw notThere(name);
  }
  return { version: resolved, files };
}

async function askFiles(
  name: PackageName,
  version: string,
  hosts: PackageHosts,
  context: SourceContext,
): Promise<ListValue | null> {
  const address = `${hosts.index}${pathOf(name, version)}?structure=flat`;
  const listed = await ask(address, name, context);
  return listed?.member("files") ?? null;
}

/** Returns the exact version for a tag, a range or a missing version; null if it is unknown. */
async function resolveVersion(
  name: PackageName,
  hosts: PackageHosts,
  context: SourceContext,
): Promise<string | null> {
  const query = `specifier=${encodeName(name.version ?? "latest")}`;
  const address = `${hosts.index}${name.registry}/${name.name}/resolved?${query}`;
  const resolved = (await ask(address, name, context))?.member("version");
  if (resolved === undefined || resolved.isNull) {
    return null;
  }
  return resolved.textOf(ANSWERED_VERSION, "a version");
}

async function ask(
  address: string,
  name: PackageName,
  { report, signal }: SourceContext,
): Promise<ListValue | null> {
  const item = shownAddress(address);
  const exceeded = () =>
    new FetchFault(`the list has more than ${MAX_LIST_BYTES} bytes`, "mount an archive of it");
  try {
    const { bytes } = await fetchBytes(address, {
      signal,
      ceiling: { bytes: MAX_LIST_BYTES, exceeded },
      onLoaded: reportFetch(item, report),
    });
    return parseList(`The answer of ${item}`, await toArray(bytes));
  } catch (error) {
    if (error instanceof FetchFault && error.status === 404) {
      return null;
    }
    if (error instanceof FetchFault && error.status === 403) {
      throw tooLarge(name);
    }
    throw refusalOf(address, error);
  }
}

function pathOf({ registry, name }: PackageName, version: string): string {
  return `${registry}/${name}@${encodeName(version)}`;
}

function tooLarge(name: PackageName): TreeglassError {
  const most = name.registry === "npm" ? "150 MB" : "50 MB";
  return new TreeglassError(
    "SourceUnreadable",
    `${shownPackage(name, name.version)} is not served: packages over ${most} are too large for the service (HTTP 403); download it, and mount the archive.`,
  );
}

function notThere(name: PackageName): TreeglassError {
  const advice =
    name.registry === "gh" && name.version === null
      ? "it may have no released version, so name a tag, a branch or a commit: 'owner/repo@ref'"
      : "check the name and the version";
  return new TreeglassError(
    "SourceUnreadable",
    `${shownPackage(name, name.version)} was not found; ${advice}.`,
  );
}

interface PackageName {
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
function shownPackage({ registry, name }: PackageName, version: string | null): string {
  const prefix = registry === "npm" ? "npm" : "github";
  return version === null ? `${prefix}:${name}` : `${prefix}:${name}@${version}`;
}
