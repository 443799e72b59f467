/** An installed package behind addresses of the shapes that jsDelivr has. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { PackageHosts } from "../../src/protocol/source-kinds.ts";
import type { Loopback } from "./loopback.ts";

/** A file as the index lists it. */
export interface IndexedFile {
  readonly name: string;
  readonly hash: string;
  readonly size: number;
}

/** Returns the files of an installed package by path, in the order of their paths. */
export function installedFiles(name: string): ReadonlyMap<string, Buffer> {
  const folder = fileURLToPath(new URL(`../../node_modules/${name}/`, import.meta.url));
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(folder.length).replace(/^\//, ""));
  return new Map(paths.sort().map((path) => [path, readFileSync(`${folder}${path}`)]));
}

export function hostsOf(server: Loopback): PackageHosts {
  return { index: `${server.address}v1/packages/`, files: server.address };
}

/** Puts a version's list of files at its address. */
export function putIndex(server: Loopback, version: string, files: readonly IndexedFile[]): void {
  const body = JSON.stringify({ type: "npm", name: "any", version, default: null, files });
  server.put(`/v1/packages/${version}?structure=flat`, { body });
}

/** Puts a version's list and its files; `version` is `npm/name@1.0.0` or `gh/owner/repo@ref`. */
export function putPackage(
  server: Loopback,
  version: string,
  files: ReadonlyMap<string, Uint8Array>,
): void {
  const listed = [...files].map(([path, bytes]) => {
    server.put(`/${version}/${path}`, { body: bytes });
    return {
      name: `/${path}`,
      hash: createHash("sha256").update(bytes).digest("base64"),
      size: bytes.byteLength,
    };
  });
  putIndex(server, version, listed);
}

/** Puts the version of a specifier; null for an unknown one. */
export function putResolved(
  server: Loopback,
  name: string,
  specifier: string,
  version: string | null,
): void {
  const body = JSON.stringify({ type: "npm", name, version, links: {} });
  server.put(`/v1/packages/${name}/resolved?specifier=${specifier}`, { body });
}
