/** A demo's call and its tree. */
import type { ConfigDocument, TreeSource } from "../index.ts";
import type { JsonObject } from "../page-parts/json.ts";
import {
  DEFAULT_MOUNT_PATH,
  Problem,
  parseArguments,
  parseConfig,
  parseMaxOutputBytes,
  type ReadAttribute,
} from "./attributes.ts";
import { chooseTree } from "./tree-choice.ts";

/** A tree, its mount path and the configuration. */
export interface MountRequest {
  /** Equal for all demos that can share one client. */
  readonly key: string;
  readonly source: TreeSource;
  readonly mountPath: string;
  readonly config: ConfigDocument;
  /** Null: beside the script. */
  readonly assets: string | null;
}

/** A tool and its arguments. */
export interface DemoCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly maxOutputBytes: number | undefined;
}

/** The content of a demo besides its attributes. */
export interface DemoParts {
  readonly read: ReadAttribute;
  /** The property `source`. */
  readonly source: TreeSource | null;
  /** The text of the JSON inside the element, or null. */
  readonly inlineEntries: string | null;
}

/** Returns the mount of a demo. */
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

/** Returns the call of a demo; `argumentsText` is the text in the box. */
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
