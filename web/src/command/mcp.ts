/** `treeglass mcp`: the tools for agents on this machine, over stdin and stdout. */

import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { StdioServerHandle } from "@modelcontextprotocol/server/stdio";
import { parse as parseToml } from "smol-toml";
import type { McpResults } from "../adapters/mcp.ts";
import type { ToolClient } from "../adapters/toolset-types.ts";
import type { TreeglassClient } from "../client/client.ts";
import type { ToolFamily } from "../generated/config.ts";
import { reasonOf } from "../lib/report-error.ts";
import { PatchFile, requireNoChanges } from "./patch-file.ts";
import { CannotStart, WrongUsage, wrongUsage } from "./refusals.ts";

export const MCP_HELP = `  treeglass mcp --mount /PATH=DIR [options]
      Serve the tools to one MCP client over stdin and stdout, until stdin ends.
        --mount /PATH=DIR    show the folder DIR at the virtual path /PATH; may be
                             repeated
        --project-root PATH  virtual; default: the only mount
        --working-dir PATH   virtual; default: the project root
        --config FILE        a configuration, as TOML or JSON
        --family NAME        whose tools are offered: codex, envelope, forge or all;
                             default: what the configuration names, or codex
        --results KIND       text, structured or both; default: text
        --patch FILE         keep what the tools that change propose as a patch for git
                             apply in FILE, which lies outside of every mount and
                             holds nothing yet; the mounts are never written

      example: npx -p treeglass -p @modelcontextprotocol/server treeglass mcp --mount /repo=.`;

/** Of a process that a signal ends. */
const INTERRUPTED = 130;

interface Options {
  readonly mounts: ReadonlyMap<string, string>;
  readonly config: Record<string, unknown>;
  readonly family: ToolFamily | undefined;
  readonly projectRoot: string | undefined;
  readonly workingDir: string | undefined;
  readonly results: McpResults;
  readonly patch: PatchFile | null;
}

interface Opened {
  readonly client: ToolClient;
  readonly close: () => Promise<void>;
}

/**
 * Serves until stdin ends; returns 0 once it serves.
 *
 * Throws `WrongUsage`, and `CannotStart` if a folder, the configuration or the SDK is unusable, or
 * if nothing would keep what an offered tool changes.
 */
export async function serveMcp(args: readonly string[]): Promise<number> {
  const options = parse(args);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => process.exit(INTERRUPTED));
  }
  const [serveStdio, { client, close }] = await Promise.all([
    importServeStdio(),
    openClient(options),
  ]);
  const { createMcpServer } = await beside<typeof import("../adapters/mcp.ts")>("adapters/mcp.js");
  // Before the first client, so that an unknown option fails here.
  await createMcpServer(client, { results: options.results });
  if (process.stdin.isTTY) {
    tell("an MCP client starts this command; Ctrl-C ends it.");
  }
  // Without it, the SDK reports each line that it refuses to stderr, which a client shows its user.
  const onerror = () => undefined;
  const factory = () => createMcpServer(client, { results: options.results });
  serveStdio(factory, { onerror });
  // A call that still runs would keep the process.
  process.stdin.once("close", close);
  return 0;
}

function parse(args: readonly string[]): Options {
  const { values, positionals } = parsed(args);
  if (positionals[0] !== undefined) {
    throw new WrongUsage(`mcp takes no argument such as ${positionals[0]}, only options`);
  }
  const { mount = [], config, "project-root": projectRoot, "working-dir": workingDir } = values;
  if (mount.length === 0) {
    throw new WrongUsage("mcp takes at least one mount, such as --mount /repo=.");
  }
  const { results = "text" } = values;
  if (!isResults(results)) {
    throw new WrongUsage(`--results is ${results}; it has to be text, structured or both`);
  }
  const { family, patch } = values;
  if (!isFamily(family)) {
    throw new WrongUsage(`--family is ${family}; it has to be ${FAMILIES.join(", ")}`);
  }
  const mounts = mountsOf(mount);
  return {
    family,
    mounts,
    patch: patch === undefined ? null : new PatchFile(patch, mounts.values(), tell),
    config: config === undefined ? {} : readConfig(config),
    projectRoot,
    workingDir,
    results,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        mount: { type: "string", multiple: true },
        "project-root": { type: "string" },
        "working-dir": { type: "string" },
        config: { type: "string" },
        family: { type: "string" },
        results: { type: "string" },
        patch: { type: "string" },
      },
      allowPositionals: true,
    });
  } catch (error) {
    throw wrongUsage(error);
  }
}

const FAMILIES: readonly unknown[] = ["codex", "envelope", "forge", "all"] satisfies ToolFamily[];

function isFamily(text: string | undefined): text is ToolFamily | undefined {
  return text === undefined || FAMILIES.includes(text);
}

function isResults(text: string): text is McpResults {
  return ["text", "structured", "both"].includes(text);
}

function mountsOf(texts: readonly string[]): Map<string, string> {
  const mounts = new Map<string, string>();
  for (const text of texts) {
    const separator = text.indexOf("=");
    const point = text.slice(0, separator);
    const folder = text.slice(separator + 1);
    if (separator < 0 || folder === "") {
      throw new WrongUsage(`${JSON.stringify(text)} is not of the form /PATH=DIR`);
    }
    if (mounts.has(point)) {
      throw new CannotStart("two mounts have the same virtual path");
    }
    requireFolder(point, folder);
    mounts.set(point, resolve(folder));
  }
  return mounts;
}

function requireFolder(point: string, folder: string): void {
  const status = statSync(folder, { throwIfNoEntry: false });
  if (!status?.isDirectory()) {
    const reason = status === undefined ? "does not exist" : "is not a folder";
    throw new CannotStart(
      `--mount ${point}=${folder}: '${resolve(folder)}' ${reason}; name the folder to mount`,
    );
  }
}

function readConfig(file: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    throw new CannotStart(`cannot read ${file}: ${reasonOf(error)}`);
  }
  // TOML cannot begin with a brace.
  const isJson = text.trimStart().startsWith("{");
  try {
    return isJson ? JSON.parse(text) : parseToml(text);
  } catch (error) {
    // The library adds the lines around the mistake.
    const [reason] = reasonOf(error).split("\n", 1);
    throw new CannotStart(`${file} is not ${isJson ? "JSON" : "TOML"}: ${reason}`);
  }
}

async function importServeStdio() {
  try {
    const { serveStdio } = await import("@modelcontextprotocol/server/stdio");
    return serveStdio satisfies (...args: never[]) => StdioServerHandle;
  } catch (error) {
    throw new CannotStart(
      "to serve MCP takes the package @modelcontextprotocol/server of version 2: start it by npx -p treeglass -p @modelcontextprotocol/server@2 treeglass mcp, or install both",
      { cause: error },
    );
  }
}

async function openClient(options: Options): Promise<Opened> {
  const { connect } = await beside<typeof import("../edge.ts")>("edge.js");
  const { mounts, config, family, projectRoot, workingDir, patch } = options;
  let client: TreeglassClient;
  try {
    client = await connect({
      config,
      ...(family === undefined ? {} : { family }),
      ...(projectRoot === undefined ? {} : { projectRoot }),
      ...(workingDir === undefined ? {} : { workingDir }),
      ...(patch === null ? {} : { onChanges: patch.onChanges }),
    });
    for (const [point, directory] of mounts) {
      await client.mount(point, { directory });
    }
    await requireDirectory(client, "--project-root", projectRoot);
    await requireDirectory(client, "--working-dir", workingDir);
  } catch (error) {
    throw new CannotStart(reasonOf(error).replace(/\.$/, ""));
  }
  if (patch === null) {
    await requireNoChanges(client);
    return { client, close: async () => client.close() };
  }
  const close = async () => {
    await patch.finished();
    client.close();
  };
  return { client: patch.follow(client), close };
}

async function requireDirectory(
  client: TreeglassClient,
  option: string,
  path: string | undefined,
): Promise<void> {
  if (path === undefined) {
    return;
  }
  try {
    await client.listEntries(path, { limit: 1 });
  } catch (error) {
    const reason = reasonOf(error).replace(`${path} cannot be read: `, "");
    const points = client.mounts().map((mount) => mount.path);
    throw new CannotStart(
      `${option} ${path}: ${reason}; name a virtual directory, / or one in a mount: ${points.sort().join(", ")}`,
    );
  }
}

function tell(sentence: string): void {
  process.stderr.write(`treeglass: ${sentence}\n`);
}

/** Imports a module of the package; bundled into this one, it would be there twice. */
async function beside<Module>(path: string): Promise<Module> {
  return await import(new URL(path, import.meta.url).href);
}
