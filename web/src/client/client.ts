import type { ConfigDocument } from "../protocol/config.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type { CallToolParams, MountParams } from "../protocol/methods.ts";
import type { MountLimits, MountReport, TimedProgressEvent } from "../protocol/mount-report.ts";
import type { StartReport } from "../protocol/start-report.ts";
import type { DescribedTools, ToolDefinition, ToolFormat, ToolResult } from "../protocol/tools.ts";
import type { Ask } from "../session/call.ts";
import type { ClientSession } from "../session/client-session.ts";
import { copyOf, type Prepare, releaseNothing } from "../session/kept-state.ts";
import { toTimeoutMs } from "../session/running-limits.ts";
import {
  checkedOptions,
  requireBoolean,
  requireLimits,
  requireSkip,
  toArgumentsText,
  toMountPath,
  wellFormed,
} from "./check-arguments.ts";
import { ElapsedClock } from "./elapsed-clock.ts";
import type { TreeSource } from "./sources.ts";
import { findUnsendable } from "./unsendable-entry.ts";
import { type OutgoingMaker, takeSource } from "./wire-source.ts";

/** The default of `MountLimits`, for a drop that is listed on the page. */
const MAX_DROPPED_ENTRIES = 1_000_000;

/** Options of a mount. */
export interface MountOptions {
  readonly onProgress?: (event: TimedProgressEvent) => void;
  /** Aborting leaves nothing mounted. */
  readonly signal?: AbortSignal;
  /** Limits other than the defaults; see `MountLimits`. */
  readonly limits?: Partial<MountLimits>;
  /**
   * Names (`node_modules`, `*.pyc`) and paths (`docs/build`, `src/**\/test`) to leave out, with
   * everything below them. @default []
   */
  readonly skip?: readonly string[];
  /**
   * Replaces the tree that is mounted at the path. That tree stays until the new one is mounted,
   * and stays for good if this mount fails or is aborted. @default false
   */
  readonly replace?: boolean;
}

/** Options of a tool call. */
export interface CallToolOptions {
  /**
   * Aborting rejects at once. A call that still runs a second later is stopped as soon as another
   * request waits.
   */
  readonly signal?: AbortSignal;
  /**
   * How long the call may run before it is stopped, in milliseconds above 0; the time in the queue
   * does not count. `Infinity` lets it run on.
   * @default the longer of `default_seconds` and `file_operations_seconds` of the configuration's
   * `[tools.timeouts]`, and five seconds more, so that a tool can word its own time-out first
   */
  readonly timeoutMs?: number;
  /** Most UTF-8 bytes of the content. @default the configuration's limit */
  readonly maxOutputBytes?: number;
  /** The bytes that are left in the model's context; may be 0. */
  readonly availableCapacityBytes?: number;
  /** The virtual directory that relative paths start from, for this call. */
  readonly workingDir?: string;
  /**
   * Whether a null of an optional argument means that the argument is absent; for hosts with strict
   * schemas, whose models send null for every argument that they leave out. @default false
   */
  readonly nullsAreAbsent?: boolean;
}

/**
 * The tools over the mounted trees.
 *
 * Requests run in the order of the calls, awaited or not. A drop that is still being listed, or a
 * directory that still waits for the visitor's permission, delays later requests.
 *
 * A worker that fails, or that cannot be stopped otherwise, is replaced. The settings and the
 * mounts are restored from the objects that the page passed, so the page must not change them: an
 * `entries` object, a buffer, a handle, files. An address or a package is fetched again. Waiting
 * requests run after that. A mount that cannot be restored is no longer among `mounts()`; the
 * waiting calls, or else the next one, reject with `SourceUnreadable` and name it.
 *
 * Every method rejects with a `TreeglassError` for a mistake of the page, and with the signal's
 * reason (by default a `DOMException` named `AbortError`) if it was aborted. A mistake of an agent
 * is a result.
 */
export class TreeglassClient {
  /** How the tools started, with the time of each phase. */
  readonly start: StartReport;
  readonly #session: ClientSession;

  private constructor(session: ClientSession, start: StartReport) {
    this.#session = session;
    this.start = start;
  }

  /** @internal Keeps it whole in `ref()` of Vue, which puts a proxy before what is tagged Object. */
  get [Symbol.toStringTag](): string {
    return "TreeglassClient";
  }

  /** @internal Returns the client of an open session. */
  static of(session: ClientSession, start: StartReport): TreeglassClient {
    return new TreeglassClient(session, start);
  }

  /**
   * Mounts a tree under an absolute virtual path such as `/repo`, whole or not at all.
   *
   * A mount costs the source's index and not its content. The report names every entry that was
   * skipped, renamed or converted.
   */
  async mount(path: string, source: TreeSource, options: MountOptions = {}): Promise<MountReport> {
    const { onProgress, signal, limits = {}, skip = [], replace = false } = options;
    const clock = new ElapsedClock();
    signal?.throwIfAborted();
    const mountPath = toMountPath(path);
    requireLimits(limits);
    requireSkip(skip);
    requireBoolean("replace", replace);
    // Copies: the page may change its objects, and a replacement worker needs the same.
    const choices = { path: mountPath, limits: { ...limits }, skip: [...skip], replace };
    const toPrepare = (makeOutgoing: OutgoingMaker): Prepare<MountParams> => {
      const prepare: Prepare<MountParams> = (sendBlob) => {
        const { source: wireSource, release } = makeOutgoing(sendBlob);
        return { params: { ...choices, source: wireSource }, release, prepare };
      };
      return prepare;
    };
    const taken = takeSource(source, this.#session.toHostPath);
    const maxEntries = limits.maxEntries ?? MAX_DROPPED_ENTRIES;
    const ask: Ask<"mount"> =
      "now" in taken
        ? { now: toPrepare(taken.now) }
        : { later: async (withdrawn) => toPrepare(await taken.later(withdrawn, maxEntries)) };
    try {
      // Nothing was awaited up to here, so that the request is queued before the next call's.
      return await this.#session.send("mount", ask, {
        signal,
        onProgress: onProgress && ((event) => onProgress(clock.time(event))),
        keep: (report, prepared) => this.#session.kept.keep({ report, prepared }),
      });
    } catch (error) {
      throw isUnsent(error) ? (findUnsendable(source) ?? error) : error;
    }
  }

  /** Removes the tree at a path; inverse of `mount`. */
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
   * Returns the tools in the shape of an agent host, as `treeglass tools --format` prints them.
   *
   * `names` selects tools, each with the name that the host shows. Without it, all tools keep their
   * own names.
   */
  async describeTools(
    format: ToolFormat,
    names?: Readonly<Record<string, string>>,
  ): Promise<DescribedTools> {
    const params = { format, ...(names === undefined ? {} : { names: copyOf(names) }) };
    return this.#session.send("describeTools", asking(params));
  }

  /**
   * Summarises a call for the person who approves it, in at most 200 characters; null if the tool
   * is unknown or refuses the arguments.
   */
  async summarizeCall(
    name: string,
    args: object | string,
    { nullsAreAbsent = false }: Pick<CallToolOptions, "nullsAreAbsent"> = {},
  ): Promise<string | null> {
    requireBoolean("nullsAreAbsent", nullsAreAbsent);
    const params = { name: wellFormed(name), arguments: toArgumentsText(args), nullsAreAbsent };
    return this.#session.send("summarizeCall", asking(params));
  }

  /**
   * Runs a tool.
   *
   * The arguments may be an object or the JSON text that a model sent, as it is.
   *
   * Rejects with `TimedOut` if the call overran its `timeoutMs`, and with `WorkerFailed` if it
   * ended the worker; the client works on in both cases.
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
      ...checkedOptions(options),
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
   * Ends the worker, if no other client shares it; pending and later requests reject with `Closed`.
   */
  async close(): Promise<void> {
    this.#session.close(new TreeglassError("Closed", "The client was closed; connect again."));
  }
}

/** Returns parameters that are the same for every worker. */
function asking<Params>(params: Params): { readonly now: Prepare<Params> } {
  const now: Prepare<Params> = () => ({ params, release: releaseNothing, prepare: now });
  return { now };
}

/** Tells whether a request could not be sent, because a value cannot be cloned. */
function isUnsent(error: unknown): boolean {
  return error instanceof TreeglassError && error.cause instanceof DOMException;
}
