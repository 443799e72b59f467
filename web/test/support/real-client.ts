/** A client of the tools that are shipped, in a thread, as programs have it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildSync } from "esbuild";
import type { TreeglassClient } from "../../src/client/client.ts";
import { connectIn } from "../../src/client/connect-in.ts";
import type { ConnectOptions } from "../../src/client/connect-options.ts";
import type { EntriesSource } from "../../src/client/sources.ts";
import { threadHost } from "../../src/hosts/thread/client-host.ts";
import { startThread } from "../../src/hosts/thread/thread.ts";

const ASSETS = fileURLToPath(new URL("../../../dist/npm/assets/", import.meta.url));

/** A small project, with a file for each of ten calls at once. */
export const PROJECT: EntriesSource["entries"] = {
  "README.md": "# Sample\n\nA tree for agents.\n",
  "src/main.py": "def main():\n    return 0\n",
  ...Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [`part-${index}.txt`, `This is part ${index}.\n`]),
  ),
};

/** The lines that `list_dir` says of the project, without what lies in folders. */
export const PROJECT_LISTING = [
  "Absolute path: /repo",
  "README.md",
  ...Array.from({ length: 10 }, (_, index) => `part-${index}.txt`),
  "src/",
];

/**
 * Starts a client with a tree at `/repo`; start one for a whole test file, and close it after.
 *
 * Its interpreter is that of the last `build.py bundle`.
 */
export async function startRealClient(entries = PROJECT): Promise<TreeglassClient> {
  const client = await connectRealClient();
  await client.mount("/repo", { entries });
  return client;
}

/** Starts a client without a tree; by default it offers every family. */
export function connectRealClient(
  options: ConnectOptions = { family: "all" },
): Promise<TreeglassClient> {
  threadModule ??= bundleThread();
  const module = threadModule;
  return connectIn(
    { ...threadHost, resolveAssets: () => ASSETS, makeWorker: () => startThread(module) },
    options,
  );
}

let threadModule: URL | null = null;

/** A thread takes no TypeScript, and code at a data address could not import Pyodide's files. */
function bundleThread(): URL {
  const folder = mkdtempSync(join(tmpdir(), "treeglass-thread-"));
  process.on("exit", () => rmSync(folder, { recursive: true }));
  const outfile = join(folder, "edge-worker.mjs");
  buildSync({
    entryPoints: [
      fileURLToPath(new URL("../../src/hosts/thread/worker/worker.ts", import.meta.url)),
    ],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
  });
  return pathToFileURL(outfile);
}
