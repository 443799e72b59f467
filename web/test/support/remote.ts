/** Sources that lie elsewhere, listed without a worker around them. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { MountLimits, ProgressEvent } from "../../src/protocol/mount-report.ts";
import type { WireSource } from "../../src/protocol/source-kinds.ts";
import { openSource } from "../../src/sources/open-source.ts";
import type { DirectoryEntry, FileEntry, TreeEntry } from "../../src/sources/tree.ts";
import { openNoFiles } from "./files/wire.ts";
import { workerHostWith } from "./hosts.ts";
import type { Loopback } from "./loopback.ts";
import { type ListedTree, readText } from "./mounting.ts";
import { startZlib } from "./python/zlib.ts";

export interface RemoteOptions {
  readonly limits?: Partial<MountLimits>;
  readonly skip?: readonly string[];
  readonly signal?: AbortSignal;
  readonly report?: (event: ProgressEvent) => void;
}

/** A signal that never aborts. */
export const never = new AbortController().signal;

/** Lists a source as if it were mounted at `/project`. */
export async function listRemote(
  source: WireSource,
  { limits = {}, skip = [], signal = never, report = () => undefined }: RemoteOptions = {},
): Promise<ListedTree> {
  const zlib = await startZlib();
  const { root, ...counts } = await openSource(
    { path: "/project", source, limits, skip, replace: false },
    {
      host: workerHostWith(),
      openFiles: openNoFiles,
      checkpoint: async () => undefined,
      report,
      signal,
      zlib: () => zlib,
      openDecompressor: () => zlib.openGzip(),
    },
  );
  assert(root.kind === "directory");
  return { root, ...counts };
}

/** Lists the source at an address. */
export function listUrl(
  url: string,
  options: RemoteOptions & { readonly integrity?: string; readonly prefetch?: boolean } = {},
): Promise<ListedTree> {
  const { integrity = null, prefetch = false, ...rest } = options;
  return listRemote({ kind: "url", url, integrity, prefetch }, rest);
}

export const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** Publishes a manifest and returns its address. */
export function publish(server: Loopback, manifest: unknown): string {
  server.put("/docs/tree.json", { body: `\uFEFF\n ${JSON.stringify(manifest)}` });
  return `${server.address}docs/tree.json`;
}

/** Publishes files of these contents, with a manifest beside them. */
export function publishFiles(server: Loopback, contents: Readonly<Record<string, string>>): string {
  const entries = Object.entries(contents).map(([path, content]) => {
    server.put(`/docs/${path}`, { body: content });
    return { path, kind: "file", size_bytes: content.length, sha256: sha256(content) };
  });
  return publish(server, { manifest_version: 1, entries });
}

/** Returns a tree as nested lists of names, its files with the text that is fetched for them. */
export async function drawFetched(directory: DirectoryEntry): Promise<Record<string, unknown>> {
  const drawn: [string, unknown][] = [];
  for (const [name, entry] of directory.children) {
    drawn.push([name, await drawEntry(entry)]);
  }
  return Object.fromEntries(drawn);
}

async function drawEntry(entry: TreeEntry): Promise<unknown> {
  switch (entry.kind) {
    case "directory":
      return drawFetched(entry);
    case "symlink":
      return { symlink: entry.target };
    case "file":
      return fetchText(entry);
    case "deferred-file":
    case "deferred-directory":
    case "special":
      return entry.kind;
  }
}

async function fetchText(file: FileEntry): Promise<string> {
  if (file.content.kind !== "remote") {
    return readText(file);
  }
  try {
    return new TextDecoder().decode(await file.content.fetchWhole(never));
  } catch (error) {
    return `unreadable: ${error instanceof Error ? error.message : error}`;
  }
}
