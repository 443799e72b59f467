import { isCount, isRecord, isStringList } from "../protocol/checks.ts";
import type { ConfigDocument } from "../protocol/config.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type { CallToolParams, MountParams, Settings } from "../protocol/messages.ts";
import {
  LIMIT_NAMES,
  type MountLimits,
  type MountReport,
  type ProgressEvent,
} from "../protocol/mounts.ts";
import type { ToolDefinition, ToolResult } from "../protocol/tools.ts";
import type { FileDesk } from "./file-desk.ts";
import type { Outgoing } from "./files-on-page.ts";
import type { TreeSource } from "./sources.ts";
import { findUnsendable } from "./unsendable-entry.ts";
import { requireAbsolute } from "./virtual-paths.ts";
import { takeAtOnce, takeDeferred } from "./wire-source.ts";
import type { WorkerChannel } from "./worker-channel.ts";

/** What a drop may hold where the mount does not say: the default of `MountLimits`. */
const MAX_DROPPED_ENTRIES = 1_000_000;

/** How a mount is done. */
export interface MountOptions {
  readonly onProgress?: (event: ProgressEvent) => void;
  /** Aborting leaves nothing mounted. */
  readonly signal?: AbortSignal;
  /** Limits other than the defaults; see `MountLimits`. */
  readonly limits?: Partial<MountLimits>;
  /**
   * Names (`node_modules`, `*.pyc`) and paths (`docs/build`, `src/**\/test`) that are left out,
   * with all that is below them. @default []
   */
  readonly skip?: readonly string[];
  /**
   * Lets the tree take the place of the one that is mounted at the path, which stays until then,
   * and stays for good where this mount fails or is aborted. @default false
   */
  readonly replace?: boolean;
}

interface Mounted {
  readonly report: MountReport;
  readonly desk: FileDesk | null;
}

/** How a tool call is done. */
export interface CallToolOptions {
  /** Aborting rejects at once; what the worker still computes is dropped. */
  readonly signal?: AbortSignal;
  /** Most UTF-8 bytes of the content; the configuration's where it is missing. */
  readonly maxOutputBytes?: number;
  /** What the model's context has left, in bytes; may be 0. */
  readonly availableCapacityBytes?: number;
  /** The virtual directory that relative paths start from, for this call. */
  readonly workingDir?: string;
}

/**
 * The tools, over the trees that were mounted.
 *
 * What is asked is done in the order of the calls, awaited or not; a drop that is still being
 * listed, or a directory that the visitor is still being asked for, holds up what comes after it.
 *
 * Every method rejects with a `TreeglassError` for what the page did wrong, and with the signal's
 * reason (a `DOMException` named `AbortError`, by default) where it was aborted. What an agent
 * does wrong is a result.
 */
export class TreeglassClient {
  readonly #channel: WorkerChannel;
  readonly #terminate: () => void;
  readonly #mounts = new Map<string, Mounted>();
  #settings: Settings;

  /** Use `connect`. */
  constructor(channel: WorkerChannel, settings: Settings, terminate: () => void) {
    this.#channel = channel;
    this.#settings = settings;
    this.#terminate = terminate;
  }

  /**
   * Mounts a tree under an absolute virtual path such as `/repo`, whole or not at all.
   *
   * Costs the source's index and not its content. The report names every entry that was skipped,
   * renamed or converted.
   */
  async mount(path: string, source: TreeSource, options: MountOptions = {}): Promise<MountReport> {
    const { onProgress, signal, limits = {}, skip = [], replace = false } = options;
    signal?.throwIfAborted();
    const mountPath = toMountPath(path);
    requireLimits(limits);
    requireSkip(skip);
    requireReplace(replace);
    const deferred = takeDeferred(source);
    let desk: FileDesk | null = null;
    const paramsOf = (outgoing: Outgoing): MountParams => {
      desk = outgoing.desk;
      return { path: mountPath, source: outgoing.source, limits, skip, replace };
    };
    const maxEntries = limits.maxEntries ?? MAX_DROPPED_ENTRIES;
    const params =
      deferred === null
        ? paramsOf(takeAtOnce(source))
        : async (withdrawn: AbortSignal) => paramsOf(await deferred(withdrawn, maxEntries));
    try {
      // Nothing was awaited up to here, so that the request takes its turn before the next call's.
      const report = await this.#channel.send("mount", params, { signal, onProgress });
      this.#mounts.get(mountPath)?.desk?.close();
      this.#mounts.set(mountPath, { report, desk });
      return report;
    } catch (error) {
      closeDesk(desk);
      throw isUnsent(error) ? (findUnsendable(source) ?? error) : error;
    }
  }

  /** Takes away what is mounted at a path; inverse of `mount`. */
  async unmount(path: string): Promise<void> {
    const mountPath = toMountPath(path);
    await this.#channel.send("unmount", { path: mountPath });
    this.#mounts.get(mountPath)?.desk?.close();
    this.#mounts.delete(mountPath);
  }

  /** Returns the report of every mount, in the order they were mounted. */
  async mounts(): Promise<readonly MountReport[]> {
    return [...this.#mounts.values()].map(({ report }) => report);
  }

  /** Returns the tools that the configuration offers, sorted by name. */
  listTools(): Promise<readonly ToolDefinition[]> {
    return this.#channel.send("listTools", {});
  }

  /**
   * Runs a tool.
   *
   * The arguments may be an object or the JSON text that a model sent, as it is.
   */
  async callTool(
    name: string,
    args: object | string,
    { signal, ...options }: CallToolOptions = {},
  ): Promise<ToolResult> {
    if (typeof name !== "string") {
      throw new TreeglassError("BadRequest", "The name of a tool is a text; see listTools().");
    }
    const params: CallToolParams = {
      name: wellFormed(name),
      arguments: toArgumentsText(args),
      ...checkedBudgets(options),
    };
    return this.#channel.send("callTool", params, { signal });
  }

  /** Replaces the configuration; the mounts stay. */
  async configure(config: ConfigDocument): Promise<void> {
    const settings = { ...this.#settings, config };
    await this.#channel.send("configure", settings);
    this.#settings = settings;
  }

  /** Ends the worker; what is pending, and every call after, rejects with `Closed`. */
  async close(): Promise<void> {
    this.#channel.fail(new TreeglassError("Closed", "The client was closed; connect again."));
    this.#terminate();
    for (const { desk } of this.#mounts.values()) {
      desk?.close();
    }
    this.#mounts.clear();
  }
}

/** Tells whether a request was refused here, because of something that cannot be cloned. */
function isUnsent(error: unknown): boolean {
  return error instanceof TreeglassError && error.cause instanceof DOMException;
}

function toMountPath(path: unknown): string {
  const names = requireAbsolute("mount path", path).split("/");
  return `/${names.filter(Boolean).join("/")}`;
}

const KNOWN_LIMITS = `the known ones are ${LIMIT_NAMES.join(", ")}`;

function requireLimits(limits: unknown): void {
  if (!isRecord(limits)) {
    throw new TreeglassError("BadRequest", `The limits of a mount are an object; ${KNOWN_LIMITS}.`);
  }
  for (const [name, limit] of Object.entries(limits)) {
    if (!LIMIT_NAMES.includes(name)) {
      throw new TreeglassError("BadRequest", `A mount has no limit ${name}; ${KNOWN_LIMITS}.`);
    }
    if (!isCount(limit)) {
      throw new TreeglassError("BadRequest", `The limit ${name} is a whole number from 0 on.`);
    }
  }
}

function requireSkip(skip: unknown): void {
  if (!isStringList(skip)) {
    throw new TreeglassError("BadRequest", "The skip option is a list of names and globs.");
  }
}

function requireReplace(replace: unknown): void {
  if (typeof replace !== "boolean") {
    throw new TreeglassError("BadRequest", "The replace option of a mount is true or false.");
  }
}

function closeDesk(desk: FileDesk | null): void {
  desk?.close();
}

/** Leaves out what is undefined, and refuses a budget that is no number of bytes. */
function checkedBudgets(options: Omit<CallToolOptions, "signal">): Partial<CallToolParams> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [option, value] of given) {
    if (!["workingDir", "maxOutputBytes", "availableCapacityBytes"].includes(option)) {
      throw new TreeglassError("BadRequest", `callTool has no option ${option}.`);
    }
    if (option === "workingDir") {
      requireAbsolute(option, value);
    } else if (!isCount(value)) {
      throw new TreeglassError("BadRequest", `${option} is a whole number of bytes from 0 on.`);
    }
  }
  return Object.fromEntries(given);
}

/**
 * Returns the arguments as JSON text that any reader accepts.
 *
 * A lone surrogate travels as its escape: so it is for the tool to refuse it, in its own words.
 */
function toArgumentsText(args: object | string): string {
  if (typeof args === "string") {
    return args.replace(
      LONE_SURROGATE,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
  }
  try {
    return JSON.stringify(args);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TreeglassError("BadRequest", `The arguments cannot be JSON: ${reason}`, { cause });
  }
}

const LONE_SURROGATE = /\p{Surrogate}/gu;

function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, "\uFFFD");
}
