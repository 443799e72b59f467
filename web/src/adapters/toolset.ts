/** The part that all adapters share: the tools of a host, the page's policy, and the outcomes. */
import type { PreparedCall } from "../client/client.ts";
import type { RunOptions } from "../client/method-options.ts";
import { isRecord } from "../lib/checks.ts";
import { reportError } from "../lib/report-error.ts";
import type { TreeglassErrorName } from "../protocol/errors.ts";
import { SIGNAL } from "../protocol/options.ts";
import type { DescribedTools, ToolDefinition, ToolFormat, ToolResult } from "../protocol/tools.ts";
import { type Decision, runApproved } from "./approval.ts";
import { guideFor, refusal, SEARCHING_TOOLS, wordFailure } from "./model-messages.ts";
import { fullNameOf, nameTools } from "./named-tools.ts";
import {
  callWithin,
  ceilingOf,
  estimateTokens,
  sizeBytes,
  toOutputProfile,
} from "./output-profile.ts";
import { type CallEvent, requireOptions, type ToolsetOptions } from "./toolset-options.ts";
import type { HostTraits, ToolClient, ToolOutcome, ToolsetCallOptions } from "./toolset-types.ts";

export type { Approve, ProposedCall } from "./approval.ts";
export type { OutputProfile, OutputProfileName } from "./output-profile.ts";
export type { CallEvent, ToolsetOptions } from "./toolset-options.ts";
export type {
  AnswerOptions,
  HostTraits,
  NameRule,
  ToolClient,
  ToolOutcome,
  ToolsetCallOptions,
} from "./toolset-types.ts";

/** Errors that any call may meet; every other error is a bug, and reported to the page. */
const RUNTIME_FAULTS: ReadonlySet<unknown> = new Set<TreeglassErrorName>([
  "Closed",
  "SourceUnreadable",
  "TimedOut",
  "WorkerFailed",
]);

/** The formats whose strict schemas make a model send null for an argument that it leaves out. */
const STRICT_FORMATS: readonly ToolFormat[] = ["openai", "openai-custom", "openai-chat"];

/** The end of a call that was not aborted. */
interface Ending {
  readonly kind: Exclude<CallEvent["outcome"], "aborted">;
  readonly outcome: ToolOutcome;
}

/** The tools of one host. */
export class Toolset {
  /** MCP's definitions, under the names that the host sees. */
  readonly tools: readonly ToolDefinition[];
  readonly #client: ToolClient;
  readonly #options: ToolsetOptions;
  readonly #traits: HostTraits;
  /** The definitions, which have the tools' own names, by the names that the host sees. */
  readonly #own: ReadonlyMap<string, ToolDefinition>;
  #nullsAreAbsent: boolean;
  readonly #fixesNulls: boolean;

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
    this.#nullsAreAbsent = options.nullsAreAbsent ?? traits.nullsAreAbsent ?? false;
    this.#fixesNulls = options.nullsAreAbsent !== undefined;
    this.tools = [...own].map(([name, definition]) => ({ ...definition, name }));
  }

  /** @internal Keeps it whole in `ref()` of Vue, which puts a proxy before what is tagged Object. */
  get [Symbol.toStringTag](): string {
    return "Toolset";
  }

  /**
   * Returns the tools in a host's shape.
   *
   * After a strict format, a null for an optional argument means that the argument is absent,
   * unless the option `nullsAreAbsent` says otherwise.
   */
  describe(format: ToolFormat): Promise<DescribedTools> {
    this.#nullsAreAbsent ||= !this.#fixesNulls && STRICT_FORMATS.includes(format);
    const names = Object.fromEntries([...this.#own].map(([name, own]) => [fullNameOf(own), name]));
    return this.#client.describeTools(format, names);
  }

  /** Tells whether this toolset answers a call; the host answers those in `answeredElsewhere`. */
  answers(name: string): boolean {
    return !(this.#options.answeredElsewhere ?? []).includes(name);
  }

  /**
   * Runs a tool call of a model.
   *
   * Every mistake of the model and every failure is an outcome with a text for the model. Rejects
   * only if the signal aborts, with its reason.
   *
   * @param name the name that the host sees.
   * @param args an object, or the JSON text that the model sent; an empty text means no arguments.
   */
  async call(name: string, args: unknown, options: ToolsetCallOptions = {}): Promise<ToolOutcome> {
    if (options.signal !== undefined) {
      SIGNAL(options.signal, "signal");
    }
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
      const { kind, outcome } = await this.#answer(definition, name, args, options);
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
      // An error in the page's log must not fail the call.
      reportError(error);
    }
  }

  async #answer(
    definition: ToolDefinition | null,
    name: string,
    args: unknown,
    options: ToolsetCallOptions,
  ): Promise<Ending> {
    const { signal } = options;
    signal?.throwIfAborted();
    try {
      if (definition === null) {
        return { kind: "unknown", outcome: refusal.unknown(name, [...this.#own.keys()]) };
      }
      const sent = toArgumentsText(args);
      if (sent instanceof RangeError) {
        return { kind: "failed", outcome: refusal.tooDeep(name) };
      }
      return await this.#runAllowed(definition, name, sent, options);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(isRecord(error) && RUNTIME_FAULTS.has(error.name))) {
        reportError(error);
      }
      return { kind: "failed", outcome: wordFailure(name, error) };
    }
  }

  /** Runs the call if the page allows it; a call that cannot be summarised does not run. */
  async #runAllowed(
    definition: ToolDefinition,
    name: string,
    args: string,
    options: ToolsetCallOptions,
  ): Promise<Decision> {
    const { approve: ask, workingDir = null } = this.#options;
    const { signal, callId = null, group = this.#options.group?.() } = options;
    const within = workingDir === null ? {} : { workingDir };
    const meaning = { ...within, nullsAreAbsent: this.#nullsAreAbsent };
    // The full name: under another configuration, a different tool may have the short one.
    const tool = fullNameOf(definition);
    const of = { signal, group };
    if (ask === undefined) {
      const run = (limits: RunOptions) =>
        this.#client.callTool(tool, args, { ...limits, ...meaning });
      return { kind: "answered", outcome: await this.#run(run, definition, name, of) };
    }
    return runApproved(
      ask,
      { name, definition, arguments: args, ...within, callId, signal },
      () => this.#client.prepareCall(tool, args, meaning),
      ({ run }) => this.#run(run, definition, name, of),
    );
  }

  /** Returns the name that the host sees of the tool to search with, instead of listing on. */
  #searcherFor(name: string): string | null {
    const searcher = SEARCHING_TOOLS[this.#own.get(name)?.name ?? ""];
    const found = [...this.#own].find(([, definition]) => definition.name === searcher);
    return found?.[0] ?? null;
  }

  async #run(
    run: PreparedCall["run"],
    { annotations }: ToolDefinition,
    name: string,
    { signal, group }: ToolsetCallOptions,
  ): Promise<ToolOutcome> {
    const { timeoutMs, guide = false } = this.#options;
    let elapsedMs = 0;
    const call = async (maxOutputBytes?: number) => {
      const result = await run({
        ...(signal === undefined ? {} : { signal }),
        ...(group === undefined ? {} : { group }),
        // All tries to keep a budget are one call, and share its time.
        ...(timeoutMs === undefined ? {} : { timeoutMs: Math.max(timeoutMs - elapsedMs, 1) }),
        ...(maxOutputBytes === undefined ? {} : { maxOutputBytes }),
      });
      elapsedMs += result.elapsedMs;
      return result;
    };
    const outcomeOf = (result: ToolResult): ToolOutcome => ({
      text: guide
        ? result.content + guideFor(name, result, this.#searcherFor(name))
        : result.content,
      isError: result.isError,
      result,
    });
    const { output = this.#traits.output ?? null } = this.#options;
    const profile = toOutputProfile(output);
    if (profile === null) {
      return outcomeOf(await call());
    }
    if (!annotations.readOnlyHint) {
      // A second try would change the tree once more.
      return outcomeOf(await call(ceilingOf(profile)));
    }
    const render = this.#traits.render ?? (({ text }) => text);
    const within = await callWithin(profile, call, (result) => render(outcomeOf(result)));
    return within === null ? refusal.tooLarge(profile) : outcomeOf(within.result);
  }
}

/**
 * Returns the tools for a host; they stay those tools, whatever names `configure` gives out later.
 *
 * Rejects with `BadRequest` if two tools would have the same name, if the host does not accept a
 * name, if an option names a tool that is not offered, or if an option is unknown or invalid.
 */
export async function createToolset(
  client: ToolClient,
  options: ToolsetOptions = {},
  traits: HostTraits = {},
): Promise<Toolset> {
  requireOptions(options, traits.ownOptions ?? []);
  const own = nameTools(await client.listTools(), options, traits.names);
  return new Toolset(client, options, traits, own);
}

/**
 * Returns JSON text, since the host could change an object after a person approved it.
 *
 * Returns the engine's error for an object that is nested more deeply than it can write.
 */
function toArgumentsText(args: unknown): string | RangeError {
  if (args === undefined || args === null || args === "") {
    // A stream without arguments ends as an empty text.
    return "{}";
  }
  try {
    // The tool itself refuses anything but an object.
    return typeof args === "string" ? args : JSON.stringify(args);
  } catch (error) {
    if (error instanceof RangeError) {
      return error;
    }
    throw error;
  }
}
