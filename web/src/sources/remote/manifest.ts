/** A published list of files, directories and links, as `treeglass pack` writes it. */
import { toBase64 } from "../../lib/base64.ts";
import type { SourceContext } from "../source-context.ts";
import { encodePath, isOfOneHost, resolveAddress, shownAddress } from "./addresses.ts";
import { addListed, type ListValue, parseList } from "./json-list.ts";
import { remoteContent } from "./remote-files.ts";

const MANIFEST_VERSION = 1;
const SHA256_HEX = /^[0-9a-f]{64}$/;

/**
 * Lists the manifest at an address; its files are fetched when they are read.
 *
 * Throws `SourceUnreadable`, which names the place, if it is malformed or of a newer version.
 */
export async function openManifest(
  bytes: Uint8Array,
  address: string,
  context: SourceContext,
): Promise<void> {
  const manifest = parseList(`The manifest at ${shownAddress(address)}`, bytes);
  const version = manifest.member("manifest_version");
  if (version.count() !== MANIFEST_VERSION) {
    throw version.refuse(
      `${MANIFEST_VERSION}, the version that this treeglass knows; pack the tree with the same version, or update treeglass`,
    );
  }
  const base = baseOf(manifest.member("base_url"), address);
  await addListed(manifest.member("entries"), context, (entry) =>
    addEntry(entry, { address, base }, context),
  );
}

interface Addresses {
  readonly address: string;
  /** The folder of its files, ending in a slash; null if addresses cannot be relative. */
  readonly base: string | null;
}

function addEntry(entry: ListValue, addresses: Addresses, { builder }: SourceContext): void {
  const path = entry.member("path").text();
  const modifiedMs = entry.member("modified_ms").optionalNumber() ?? 0;
  const kind = entry.member("kind");
  switch (kind.text()) {
    case "file": {
      const sizeBytes = entry.member("size_bytes").count();
      const sha256 = entry.member("sha256");
      const address = addressOf(entry.member("url"), path, addresses);
      const content = remoteContent({
        sizeBytes,
        address,
        // Otherwise a foreign manifest could read private pages of the page's own host.
        sendsCookies: isOfOneHost(address, addresses.address),
        sha256: sha256.isMissing
          ? null
          : base64OfHex(sha256.textOf(SHA256_HEX, "64 lowercase hexadecimal digits")),
      });
      builder.addFile(path, sizeBytes, modifiedMs, content);
      break;
    }
    case "directory":
      builder.addDirectory(path, modifiedMs);
      break;
    case "symlink":
      builder.addSymlink(path, entry.member("target").text(), modifiedMs, true);
      break;
    default:
      throw kind.refuse('"file", "directory" or "symlink"');
  }
}

function baseOf(baseUrl: ListValue, address: string): string | null {
  const given = baseUrl.optionalText();
  const base = resolveAddress(given ?? "./", address);
  if (base === null && given !== null) {
    throw baseUrl.refuse("an http or https address, or one relative to the manifest's");
  }
  const folder = base?.replace(/[?#].*$/s, "") ?? null;
  return folder === null || folder.endsWith("/") ? folder : `${folder}/`;
}

function addressOf(url: ListValue, path: string, { address, base }: Addresses): string {
  const given = url.optionalText();
  if (given === null && base !== null) {
    return `${base}${encodePath(path).replace(/^\/+/, "")}`;
  }
  const resolved = given === null ? null : resolveAddress(given, address);
  if (resolved === null) {
    throw url.refuse("an http, https, blob or data address, or one relative to the manifest's");
  }
  return resolved;
}

function base64OfHex(hex: string): string {
  return toBase64(Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));
}
