/** What every adapter shares: which tools a host gets, what the page allows, and what comes back. */
import { isRecord } from "../protocol/checks.ts";
import { TreeglassError, type TreeglassErrorKind } from "../protocol/errors.ts";
import type { DescribedTools, ToolDefinition, ToolFormat, ToolResult } from "../protocol/tools.ts";
import { withoutAbsentNulls } from "./absent-nulls.ts";
import { type Approve, approve } from "./approval.ts";
import {
  callWithin,
  estimateTokens,
  type OutputProfile,
  type OutputProfileName,
  sizeBytes,
  toOutputProfile,
} from "./output-profile.ts";
import { reportFault } from "./report-fault.ts";
import { guideFor, refusal, wordFailure } from "./sentences.ts";
import type { ToolClient } from "./tool-client.ts";
import type { ToolOutcome } from "./tool-outcome.ts";

/** What the page says of the tools that it hands over; every adapter takes these. */
export interface ToolsetOptions {
  /** The tools that the host gets, by their own names. @default all that are offered */
  readonly allow?: readonly string[];
  /** The tools that it does not get; these win over `allow`. @default [] */
  readonly deny?: readonly string[];
  /** Put before every name, such as `repo_`. @default "" */
  readonly prefix?: string;
  /** Names that the host sees instead, by the tools' own names; no prefix is put before these. */
  readonly rename?: Readonly<Record<string, string>>;
  /**
   * The most that one call gives the model; null leaves it to the configuration.
   * @default the adapter's own, where its host has a known budget
   */
  readonly output?: OutputProfileName | OutputProfile | null;
  /** Whether one short line that tells the model how to go on follows what was cut. @default false */
  readonly guide?: boolean;
  /** How long one call may run, in milliseconds. @default the client's */
  readonly timeoutMs?: number;
  /** The virtual directory that relative paths start from. @default the client's */
  readonly workingDir?: string;
  /** Asked before each call; where it says no, or throws, the model is told so. */
  readonly approve?: Approve;
  /** Told of each call when it is over, whatever became of it. */
  readonly onCall?: (event: CallEvent) => void;
}

/** What became of one call, for a host's log. */
export interface CallEvent {
  /** The name that the model used. */
  readonly name: string;
  /** The tool's own name; null where there is no such tool. */
  readonly tool: string | null;
  /** The host's id of the call; null where it has none. */
  readonly callId: string | null;
  /** As the model sent them. */
  readonly arguments: unknown;
  /**
   * `answered` where the tool ran, also if its answer is an error; `refused` by the page; `unknown`
   * where there is no such tool; `failed` where the call could not be made, or was stopped;
   * `aborted` by the signal.
   */
  readonly outcome: "answered" | "refused" | "unknown" | "failed" | "aborted";
  /** What the model is given; empty where the call was aborted. */
  readonly text: string;
  readonly isError: boolean;
  readonly truncated: boolean;
  /** The text's size in UTF-8. */
  readonly sizeBytes: number;
  /** About what the text takes of the model's context. */
  readonly estimatedTokens: number;
  /** From when the host called until the answer, a person's consent included. */
  readonly elapsedMs: number;
  /** The tool's own answer; null where it gave none. */
  readonly result: ToolResult | null;
}

/** How one call is done. */
export interface ToolsetCallOptions {
  readonly signal?: AbortSignal | undefined;
  /** The host's id of the call, for the log. */
  readonly callId?: string | null;
}

/** What an adapter says of its host. */
export interface HostTraits {
  /** The host's own budget. @default null */
  readonly output?: OutputProfileName | null;
  /** Whether the host's schemas make a model send null for what it leaves out. @default false */
  readonly nullsAreAbsent?: boolean;
  /** All that the host gives its model of an answer, so that it can be measured. @default the text */
  readonly render?: (outcome: ToolOutcome) => string;
}

/** What may happen to any call; of anything else the page has to hear. */
const RUNTIME_FAULTS: ReadonlySet<unknown> = new Set<TreeglassErrorKind>([
  "Closed",
  "SourceUnreadable",
  "TimedOut",
  "WorkerFailed",
]);

/** What every known host takes for a name; some take no dot, or at most 64 characters. */
const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** The tools of one host. */
export class Toolset {
  /** MCP's definitions, by the names that the host sees. */
  readonly tools: readonly ToolDefinition[];
  readonly #client: ToolClient;
  readonly #options: ToolsetOptions;
  readonly #traits: HostTraits;
  /** The tools' own definitions by the names that the host sees. */
  readonly #own: ReadonlyMap<string, ToolDefinition>;

  /** Use `createToolset`. */
  constructor(
    client: ToolClient,
    options: ToolsetOptions,
    traits: HostTraits,
    own: ReadonlyMap<string, ToolDefinition>,
  ) {
    this.#client = client;
    this.#options = options;
    this.#traits = traits;
    this.#own = own;
    this.tools = [...own].map(([name, definition]) => ({ ...definition, name }));
  }

  /** Returns the tools in a host's shape. */
  describe(format: ToolFormat): Promise<DescribedTools> {
    const names = Object.fromEntries([...this.#own].map(([name, { name: own }]) => [own, name]));
    return this.#client.describeTools(format, names);
  }

  /**
   * Runs what a model asked for.
   *
   * Whatever the model did wrong, and whatever keeps the call from being made, is an outcome that
   * the model can be told. Rejects with the signal's reason where that aborts, and for nothing else.
   *
   * @param name as the host sees it.
   * @param args an object, or the JSON text that the model sent; empty stands for no arguments.
   */
  async call(name: string, args: unknown, options: ToolsetCallOptions = {}): Promise<ToolOutcome> {
    const startedMs = performance.now();
    const definition = this.#own.get(name) ?? null;
    const tell = (outcome: CallEvent["outcome"], { text, isError, result }: ToolOutcome) =>
      this.#tell(() => ({
        name,
        tool: definition?.name ?? null,
        callId: options.callId ?? null,
        arguments: args,
        outcome,
        text,
        isError,
        truncated: result?.truncated ?? false,
        sizeBytes: sizeBytes(text),
        estimatedTokens: estimateTokens(text),
        elapsedMs: performance.now() - startedMs,
        result,
      }));
    try {
      const [kind, outcome] = await this.#answer(definition, name, args, options);
      options.signal?.throwIfAborted();
      tell(kind, outcome);
      return outcome;
    } catch (error) {
      tell("aborted", { text: "", isError: true, result: null });
      throw error;
    }
  }

  #tell(makeEvent: () => CallEvent): void {
    const { onCall } = this.#options;
    if (onCall === undefined) {
      return;
    }
    try {
      onCall(makeEvent());
    } catch (error) {
      // What the page's log fails at is no fault of the call.
      reportFault(error);
    }
  }

  async #answer(
    definition: ToolDefinition | null,
    name: string,
    args: unknown,
    { signal, callId = null }: ToolsetCallOptions,
  ): Promise<[CallEvent["outcome"], ToolOutcome]> {
    signal?.throwIfAborted();
    if (definition === null) {
      return ["unknown", refusal.unknown(name, [...this.#own.keys()])];
    }
    try {
      const { nullsAreAbsent = false } = this.#traits;
      const sent = toArguments(
        nullsAreAbsent ? withoutAbsentNulls(args, definition.inputSchema) : args,
      );
      const proposal = { name, definition, arguments: sent, callId, signal };
      // In here: a summary that cannot be had must not stand for a consent.
      const denied = await approve(this.#client, this.#options.approve, proposal);
      if (denied !== null) {
        return ["refused", denied];
      }
      return ["answered", await this.#run(definition.name, name, sent, signal)];
    } catch (error) {
      signal?.throwIfAborted();
      if (!(isRecord(error) && RUNTIME_FAULTS.has(error.kind))) {
        reportFault(error);
      }
      return ["failed", wordFailure(name, error)];
    }
  }

  async #run(
    tool: string,
    name: string,
    args: object | string,
    signal: AbortSignal | undefined,
  ): Promise<ToolOutcome> {
    const { timeoutMs, workingDir, guide = false } = this.#options;
    const call = (maxOutputBytes?: number) =>
      this.#client.callTool(tool, args, {
        ...(signal === undefined ? {} : { signal }),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...(workingDir === undefined ? {} : { workingDir }),
        ...(maxOutputBytes === undefined ? {} : { maxOutputBytes }),
      });
    const outcomeOf = (result: ToolResult): ToolOutcome => ({
      text: guide ? result.content + guideFor(name, result) : result.content,
      isError: result.isError,
      result,
    });
    const { output = this.#traits.output ?? null } = this.#options;
    const profile = toOutputProfile(output);
    if (profile === null) {
      return outcomeOf(await call());
    }
    const render = this.#traits.render ?? (({ text }) => text);
    const within = await callWithin(profile, call, (result) => render(outcomeOf(result)));
    return within === null ? refusal.tooLarge(profile) : outcomeOf(within.result);
  }
}

/**
 * Returns the tools that a host gets.
 *
 * Rejects with `BadRequest` where two tools would have one name, or one that no host takes, where an
 * option names a tool that is not offered, and where a budget, a time or a directory makes no sense.
 */
export async function createToolset(
  client: ToolClient,
  options: ToolsetOptions = {},
  traits: HostTraits = {},
): Promise<Toolset> {
  const { allow, deny = [], prefix = "", rename = {}, output = null } = options;
  const { timeoutMs = Infinity, workingDir = "/" } = options;
  toOutputProfile(output);
  requireCallOptions(timeoutMs, workingDir);
  const offered = await client.listTools();
  const names = offered.map(({ name }) => name);
  for (const named of [...(allow ?? []), ...deny, ...Object.keys(rename)]) {
    if (!names.includes(named)) {
      throw new TreeglassError(
        "BadRequest",
        `No tool ${JSON.stringify(named)} is offered; offered are ${names.join(", ")}.`,
      );
    }
  }
  const own = new Map<string, ToolDefinition>();
  for (const definition of offered) {
    const { name } = definition;
    if (deny.includes(name) || (allow !== undefined && !allow.includes(name))) {
      continue;
    }
    const shown = Object.hasOwn(rename, name) ? String(rename[name]) : prefix + name;
    if (!TOOL_NAME.test(shown)) {
      throw new TreeglassError(
        "BadRequest",
        `No tool can be named ${JSON.stringify(shown)}: names have 1 to 128 of A-Z a-z 0-9 _ . -`,
      );
    }
    if (own.has(shown)) {
      throw new TreeglassError("BadRequest", `Two tools would be named ${JSON.stringify(shown)}.`);
    }
    own.set(shown, definition);
  }
  return new Toolset(client, options, traits, own);
}

/** Checked here, since a call would tell the model of them and not the page. */
function requireCallOptions(timeoutMs: unknown, workingDir: unknown): void {
  if (!(typeof timeoutMs === "number" && timeoutMs > 0)) {
    throw new TreeglassError("BadRequest", "timeoutMs is a number of milliseconds above 0.");
  }
  if (!(typeof workingDir === "string" && workingDir.startsWith("/"))) {
    throw new TreeglassError("BadRequest", "workingDir is an absolute virtual path such as /repo.");
  }
}

function toArguments(args: unknown): object | string {
  if (args === undefined || args === null || args === "") {
    // What a stream that brings no arguments ends as.
    return {};
  }
  if (typeof args === "string") {
    return args;
  }
  // What is no object the tool refuses in its own words.
  return typeof args === "object" && !Array.isArray(args) ? args : JSON.stringify(args);
}
