/** Reads from a demo's attributes which tool it calls and which tree it mounts. */
import type { ConfigDocument, TreeglassClient, TreeSource } from "../../index.ts";
import type { JsonObject } from "../../ui/json.ts";
import {
  DEFAULT_MOUNT_PATH,
  Problem,
  parseArguments,
  parseConfig,
  parseMaxOutputBytes,
  type ReadAttribute,
} from "../attributes.ts";
import { chooseTree } from "./tree-choice.ts";

export interface MountRequest {
  /** Equal for all demos that can share one client. */
  readonly key: string;
  readonly source: TreeSource;
  readonly mountPath: string;
  readonly config: ConfigDocument;
  /** The folder with the runtime; null for `assets/` beside the script. */
  readonly assets: string | null;
}

/** A mounted tree, with the client that calls tools on it. */
export interface OpenTree {
  readonly client: TreeglassClient;
  readonly mountPath: string;
}

export interface DemoCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly maxOutputBytes: number | undefined;
}

export interface DemoParts {
  readonly read: ReadAttribute;
  readonly source: TreeSource | null;
  /** The text of the JSON inside the element; null if there is no such script. */
  readonly inlineEntries: string | null;
}

/** Returns what a demo mounts, or what is wrong with its attributes. */
export function readMountRequest({
  read,
  source,
  inlineEntries,
}: DemoParts): MountRequest | Problem {
  const tree = chooseTree(source, read, inlineEntries);
  const config = parseConfig(read("config"));
  if (tree instanceof Problem) {
    return tree;
  }
  if (config instanceof Problem) {
    return config;
  }
  const mountPath = read("mount-path") || DEFAULT_MOUNT_PATH;
  const assets = read("assets") || null;
  const key = JSON.stringify([assets, tree.key, mountPath, config]);
  return { key, source: tree.source, mountPath, config, assets };
}

/** Returns a demo's call, or what is wrong with it; `argumentsText` is the text in the box. */
export function readCall(read: ReadAttribute, argumentsText: string): DemoCall | Problem {
  const tool = read("tool")?.trim() ?? "";
  if (tool === "") {
    return new Problem(
      "This demo names no tool; give it the attribute tool, such as list_dir or read_file.",
    );
  }
  const args = parseArguments(argumentsText, tool);
  const maxOutputBytes = parseMaxOutputBytes(read("max-output-bytes"));
  if (args instanceof Problem) {
    return args;
  }
  return maxOutputBytes instanceof Problem
    ? maxOutputBytes
    : { tool, arguments: args, maxOutputBytes };
}
