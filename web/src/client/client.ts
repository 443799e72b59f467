/// <reference lib="esnext.disposable" preserve="true" />
import type { ConfigDocument } from "../generated/config.ts";
import type { ToolArguments } from "../generated/tool-types.ts";
import { toWellFormed } from "../lib/well-formed.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type { CallToolParams, MountParams } from "../protocol/methods.ts";
import type { MountReport } from "../protocol/mount-report.ts";
import {
  checkedOptions,
  copyOf,
  readValue,
  requireText,
  TEXTS_BY_NAME,
} from "../protocol/options.ts";
import type { StartReport } from "../protocol/start-report.ts";
import type {
  DescribedTools,
  ToolDefinition,
  ToolFormat,
  ToolName,
  ToolResult,
} from "../protocol/tools.ts";
import { plain, type Sendable } from "../session/sendable.ts";
import type { ClientSession } from "../session/session.ts";
import { CONFIG } from "./connect-options.ts";
import { FilesClient } from "./files-client.ts";
import {
  type CallToolOptions,
  defaultTimeoutMs,
  MEANING_RULES,
  type MeaningOptions,
  MOUNT_RULES,
  type MountOptions,
  RUN_RULES,
  type RunOptions,
  timed,
  toArgumentsText,
  toMountPath,
  toolTimeoutMs,
} from "./method-options.ts";
import type { TreeSource } from "./sources.ts";
import { explainUnsent } from "./unsendable-entry.ts";
import { takeSource } from "./wire-source.ts";

/** A call that runs as it was summarised, or not at all. */
export interface PreparedCall {
  /**
   * The effect of the call, for the person who approves it, in at most 200 characters; null if the
   * tool is unknown, or refuses the call whatever the person says.
   */
  readonly summary: string | null;
  /**
   * Runs the call, as `callTool` does.
   *
   * Rejects with `SettingsChanged` if the configuration, the directories or the paths of the mounts
   * differ from those of the summary: prepare the call again, and ask the person again.
   */
  run(options?: RunOptions): Promise<ToolResult>;
}

/**
 * The tools over the mounted trees.
 *
 * Requests run in the order of the calls, awaited or not. A drop that is still being listed, or a
 * directory that still waits for the visitor's permission, delays later requests.
 *
 * A worker that fails, or that cannot be stopped otherwise, is replaced. The settings and the
 * mounts are restored from the objects that the page passed, so the page must not change them: an
 * `entries` object, a buffer, a handle, files. An address or a package is fetched again. All
 * changes that an answer has told of are there again, too. Waiting requests run after that. A mount that cannot be restored is no longer among `mounts()`; the
 * waiting calls, or else the next one, reject with `SourceUnreadable` and name it.
 *
 * Every method rejects with a `TreeglassError` for a mistake of the page, and with the signal's
 * reason (by default a `DOMException` named `AbortError`) if it was aborted. A mistake of an agent
 * is a result.
 */
export class TreeglassClient extends FilesClient {
  /** The way the tools started, with the time of each phase. */
  readonly start: StartReport;
  readonly #session: ClientSession;

  private constructor(session: ClientSession, start: StartReport) {
    super(session);
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
    const checked = checkedOptions("mount", options, MOUNT_RULES);
    const { signal, limits = {}, skip = [], replace = false } = checked;
    const onProgress = timed(checked.onProgress);
    signal?.throwIfAborted();
    const mountPath = toMountPath(path);
    // Copies: the page may change its objects, and a replacement worker needs the same.
    const choices = { path: mountPath, limits: { ...limits }, skip: [...skip], replace };
    const { kept, toHostPath } = this.#session;
    const { maxEntries } = limits;
    const taken = readValue("The source", () => takeSource(source, { maxEntries, toHostPath }));
    const sendable: Sendable<MountParams> = {
      prepare: taken.prepare,
      wire: (wire) => ({ ...choices, source: taken.wire(wire) }),
      release: () => taken.release(),
    };
    try {
      // Nothing was awaited so far, so this request is queued before that of the next call.
      return await this.#session.send("mount", sendable, {
        signal,
        onProgress,
        // The worker holds a replaced tree until it knows that this mount stays.
        acknowledges: replace,
        keep: (report) => kept.keep({ report, sendable }),
      });
    } catch (error) {
      throw explainUnsent(error, source);
    }
  }

  /** Removes the tree at a path; inverse of `mount`. */
  async unmount(path: string): Promise<void> {
    const mountPath = toMountPath(path);
    await this.#session.send("unmount", plain({ path: mountPath }), {
      keep: () => this.#session.kept.drop(mountPath),
    });
  }

  /** Returns the report of every mount, in the order they were mounted. */
  mounts(): readonly MountReport[] {
    return [...this.#session.kept.mounts.values()].map(({ report }) => report);
  }

  /** Returns the tools that the configuration offers, sorted by name. */
  listTools(): Promise<readonly ToolDefinition[]> {
    return this.#session.send("listTools", plain({}));
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
    requireText("format of describeTools", format);
    if (names !== undefined) {
      TEXTS_BY_NAME(names, "names");
    }
    // A copy: the page may change its object, and a replacement worker needs the same.
    const params = { format, ...(names === undefined ? {} : { names: { ...names } }) };
    return this.#session.send("describeTools", plain(params));
  }

  /**
   * Summarises a call for the person who approves it, and binds it to the present settings.
   *
   * So what runs is what the person approved, even if the page configures the client meanwhile.
   */
  async prepareCall<Name extends ToolName | (string & {})>(
    name: Name,
    args: (Name extends ToolName ? ToolArguments[Name] : object) | string,
    options: MeaningOptions = {},
  ): Promise<PreparedCall> {
    const meaning = checkedOptions("prepareCall", options, MEANING_RULES);
    const call = { ...callOf(name, args), ...meaning };
    const { workingDir: _, ...summarized } = call;
    const { summary, settings } = await this.#session.send("summarizeCall", plain(summarized));
    const bound = { ...call, settings };
    return {
      summary,
      run: async (limits = {}) => this.#call(bound, checkedOptions("run", limits, RUN_RULES)),
    };
  }

  /**
   * Runs a tool.
   *
   * The arguments may be an object or the JSON text that a model sent, as it is. TypeScript checks
   * an object against the tool's input schema, unless the name is of the type `string`.
   *
   * A search that reaches its `timeoutMs` answers shortly before with the part that it found.
   * Rejects with `TimedOut` if the call had to be stopped, and with `WorkerFailed` if it ended the
   * worker; the client works on in both cases.
   */
  callTool<Name extends ToolName | (string & {})>(
    name: Name,
    args: (Name extends ToolName ? ToolArguments[Name] : object) | string,
    options?: CallToolOptions,
  ): Promise<ToolResult<Name>>;
  async callTool(
    name: string,
    args: object | string,
    options: CallToolOptions = {},
  ): Promise<ToolResult> {
    const rules = { ...MEANING_RULES, ...RUN_RULES };
    return this.#call(callOf(name, args), checkedOptions("callTool", options, rules));
  }

  /** Runs a call; what it says itself wins over the options. */
  #call(
    call: CallToolParams,
    { onProgress, signal, timeoutMs, ...options }: CallToolOptions,
  ): Promise<ToolResult> {
    const { kept } = this.#session;
    const forTool = timeoutMs === undefined ? undefined : toolTimeoutMs(timeoutMs);
    const limit = forTool === undefined ? {} : { timeoutMs: forTool };
    return this.#session.send("callTool", plain({ ...options, ...limit, ...call }), {
      signal,
      onProgress: timed(onProgress),
      timeoutMs: () => timeoutMs ?? defaultTimeoutMs(kept.settings.config),
      label: call.name,
    });
  }

  /** Replaces the configuration; the mounts stay. */
  async configure(config: ConfigDocument): Promise<void> {
    CONFIG(config, "config");
    const { kept } = this.#session;
    const settings = { ...kept.settings, config: copyOf(config) };
    await this.#session.send("configure", plain(settings), {
      keep: () => {
        kept.settings = settings;
      },
    });
  }

  /**
   * Ends the worker, if no other client shares it; pending and later requests reject with `Closed`.
   */
  close(): void {
    this.#session.close(new TreeglassError("Closed", "The client was closed; connect again."));
  }

  /** Closes the client at the end of the block that has `await using client = await connect()`. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }
}

function callOf(name: string, args: object | string): CallToolParams {
  requireText("name of a tool", name);
  return { name: toWellFormed(name), arguments: toArgumentsText(args) };
}
