import type { ConfigDocument } from "../protocol/config.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type { CallToolParams, MountParams } from "../protocol/methods.ts";
import type { MountLimits, MountReport, TimedProgressEvent } from "../protocol/mount-report.ts";
import type { StartReport } from "../protocol/start-report.ts";
import type { DescribedTools, ToolDefinition, ToolFormat, ToolResult } from "../protocol/tools.ts";
import type { Ask } from "../session/call.ts";
import type { ClientSession } from "../session/client-session.ts";
import { copyOf, type Prepare, releaseNothing } from "../session/kept-state.ts";
import {
  checkedBudgets,
  requireLimits,
  requireReplace,
  requireSkip,
  toArgumentsText,
  toMountPath,
  toTimeoutMs,
  wellFormed,
} from "./check-arguments.ts";
import { ElapsedClock } from "./elapsed-clock.ts";
import type { TreeSource } from "./sources.ts";
import { findUnsendable } from "./unsendable-entry.ts";
import { type OutgoingMaker, takeAtOnce, takeDeferred } from "./wire-source.ts";

/** What a drop may hold where the mount does not say: the default of `MountLimits`. */
const MAX_DROPPED_ENTRIES = 1_000_000;

/** How a mount is done. */
export interface MountOptions {
  readonly onProgress?: (event: TimedProgressEvent) => void;
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

/** How a tool call is done. */
export interface CallToolOptions {
  /**
   * Aborting rejects at once. What the worker still computes a second later is stopped as soon as
   * anything else waits.
   */
  readonly signal?: AbortSignal;
  /**
   * How long the call may run before it is stopped, in milliseconds above 0; the time that it waits
   * for its turn does not count. `Infinity` lets it run on.
   * @default the longer of `default_seconds` and `file_operations_seconds` of the configuration's
   * `[tools.timeouts]`, and five seconds more, so that a tool can word its own time-out first
   */
  readonly timeoutMs?: number;
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
 * A worker that fails, or that cannot be stopped otherwise, is replaced by another one. The
 * settings and the mounts are restored from what the page handed over, which therefore has to stay
 * as it was: an `entries` object, a buffer, a handle, files; an address or a package is fetched
 * again. What waited behind is done then. A mount that cannot be restored is no longer among
 * `mounts()`; the calls that waited, or else the next one, reject with `SourceUnreadable` and name
 * it.
 *
 * Every method rejects with a `TreeglassError` for what the page did wrong, and with the signal's
 * reason (a `DOMException` named `AbortError`, by default) where it was aborted. What an agent
 * does wrong is a result.
 */
export class TreeglassClient {
  /** How the tools started, and what took how long. */
  readonly start: StartReport;
  readonly #session: ClientSession;

  private constructor(session: ClientSession, start: StartReport) {
    this.#session = session;
    this.start = start;
  }

  /** @internal Returns the client of a session that was opened. */
  static of(session: ClientSession, start: StartReport): TreeglassClient {
    return new TreeglassClient(session, start);
  }

  /**
   * Mounts a tree under an absolute virtual path such as `/repo`, whole or not at all.
   *
   * Costs the source's index and not its content. The report names every entry that was skipped,
   * renamed or converted.
   */
  async mount(path: string, source: TreeSource, options: MountOptions = {}): Promise<MountReport> {
    const { onProgress, signal, limits = {}, skip = [], replace = false } = options;
    const clock = new ElapsedClock();
    signal?.throwIfAborted();
    const mountPath = toMountPath(path);
    requireLimits(limits);
    requireSkip(skip);
    requireReplace(replace);
    // The page may change what it passed, and another worker is to be asked the same.
    const choices = { limits: { ...limits }, skip: [...skip], replace };
    let prepare: Prepare<MountParams> | null = null;
    const preparing = (makeOutgoing: OutgoingMaker) => {
      prepare = (sendBlob) => {
        const { source: wireSource, release } = makeOutgoing(sendBlob);
        return { params: { path: mountPath, source: wireSource, ...choices }, release };
      };
      return prepare;
    };
    const deferred = takeDeferred(source);
    const maxEntries = limits.maxEntries ?? MAX_DROPPED_ENTRIES;
    const ask: Ask<"mount"> =
      deferred === null
        ? { now: preparing(takeAtOnce(source, this.#session.toHostPath)) }
        : { later: async (withdrawn) => preparing(await deferred(withdrawn, maxEntries)) };
    const { kept } = this.#session;
    try {
      // Nothing was awaited up to here, so that the request takes its turn before the next call's.
      return await this.#session.send("mount", ask, {
        signal,
        onProgress: onProgress && ((event) => onProgress(clock.time(event))),
        keep: (report, prepared) => prepare && kept.keep({ report, prepared, prepare }),
      });
    } catch (error) {
      throw isUnsent(error) ? (findUnsendable(source) ?? error) : error;
    }
  }

  /** Takes away what is mounted at a path; inverse of `mount`. */
  async unmount(path: string): Promise<void> {
    const mountPath = toMountPath(path);
    await this.#session.send("unmount", asking({ path: mountPath }), {
      keep: () => this.#session.kept.drop(mountPath),
    });
  }

  /** Returns the report of every mount, in the order they were mounted. */
  async mounts(): Promise<readonly MountReport[]> {
    return [...this.#session.kept.mounts.values()].map(({ report }) => report);
  }

  /** Returns the tools that the configuration offers, sorted by name. */
  listTools(): Promise<readonly ToolDefinition[]> {
    return this.#session.send("listTools", asking({}));
  }

  /**
   * Returns the tools in the shape that an agent host takes, as `treeglass tools --format` prints
   * them.
   *
   * `names` says which of them the host is to have, each with the name that it sees; all of them
   * under their own names where it is missing.
   */
  async describeTools(
    format: ToolFormat,
    names?: Readonly<Record<string, string>>,
  ): Promise<DescribedTools> {
    const params = { format, ...(names === undefined ? {} : { names: copyOf(names) }) };
    return this.#session.send("describeTools", asking(params));
  }

  /**
   * Returns what a person is shown who approves a call, in at most 200 characters; null where there
   * is nothing to approve, since the tool is unknown or refuses the arguments.
   */
  async summarizeCall(name: string, args: object | string): Promise<string | null> {
    const params = { name: wellFormed(name), arguments: toArgumentsText(args) };
    return this.#session.send("summarizeCall", asking(params));
  }

  /**
   * Runs a tool.
   *
   * The arguments may be an object or the JSON text that a model sent, as it is.
   *
   * Rejects with `TimedOut` where the call ran longer than its `timeoutMs`, and with `WorkerFailed`
   * where the worker did not survive it; the client goes on in both cases.
   */
  async callTool(
    name: string,
    args: object | string,
    { signal, timeoutMs, ...options }: CallToolOptions = {},
  ): Promise<ToolResult> {
    if (typeof name !== "string") {
      throw new TreeglassError("BadRequest", "The name of a tool is a text; see listTools().");
    }
    const params: CallToolParams = {
      name: wellFormed(name),
      arguments: toArgumentsText(args),
      ...checkedBudgets(options),
    };
    const { kept } = this.#session;
    const ownTimeoutMs = timeoutMs === undefined ? null : toTimeoutMs(timeoutMs, {});
    return this.#session.send("callTool", asking(params), {
      signal,
      timeoutMs: () => ownTimeoutMs ?? toTimeoutMs(undefined, kept.settings.config),
      label: params.name,
    });
  }

  /** Replaces the configuration; the mounts stay. */
  async configure(config: ConfigDocument): Promise<void> {
    const { kept } = this.#session;
    const settings = { ...kept.settings, config: copyOf(config) };
    await this.#session.send("configure", asking(settings), {
      keep: () => {
        kept.settings = settings;
      },
    });
  }

  /**
   * Ends the worker, if no other client shares it; what is pending, and every call after, rejects
   * with `Closed`.
   */
  async close(): Promise<void> {
    this.#session.close(new TreeglassError("Closed", "The client was closed; connect again."));
  }
}

/** Returns what asks the same of every worker. */
function asking<Params>(params: Params): { readonly now: Prepare<Params> } {
  return { now: () => ({ params, release: releaseNothing }) };
}

/** Tells whether a request was refused here, because of something that cannot be cloned. */
function isUnsent(error: unknown): boolean {
  return error instanceof TreeglassError && error.cause instanceof DOMException;
}
