/** The tools for the browser's own agent: WebMCP. */
import { TreeglassError } from "../protocol/errors.ts";
import { SIGNAL } from "../protocol/options.ts";
import type { JsonSchema } from "../protocol/tools.ts";
import { createToolset, type Toolset, type ToolsetOptions } from "./toolset.ts";
import type { ToolClient, ToolOutcome } from "./toolset-types.ts";

/** The answer of a tool; an error is an answer too, since a browser hides thrown errors. */
export type WebMcpAnswer =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly error: { readonly kind: string; readonly message: string } };

/** A tool for `registerTool`. */
export interface WebMcpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly annotations: { readonly readOnlyHint: boolean; readonly untrustedContentHint: boolean };
  /** Older browsers pass no second argument. */
  readonly execute: (
    input: unknown,
    options?: { readonly signal?: AbortSignal },
  ) => Promise<WebMcpAnswer>;
}

/** The part of `document.modelContext` that the adapter uses. */
export interface WebMcpModelContext {
  registerTool(tool: WebMcpTool, options: WebMcpRegistrationOptions): unknown;
}

/** The second argument of `registerTool`. */
export interface WebMcpRegistrationOptions {
  readonly signal: AbortSignal;
  readonly exposedTo?: string[];
}

export interface WebMcpOptions extends ToolsetOptions {
  /** The object that registers the tools. @default `document.modelContext`, or the older `navigator.modelContext` */
  readonly modelContext?: WebMcpModelContext;
  /** Unregisters the tools when it is aborted. */
  readonly signal?: AbortSignal;
  /** Other origins that may see the tools, besides this page's own. @default none */
  readonly exposedTo?: readonly string[];
}

/** Tools that are registered until `unregister`. */
export interface WebMcpRegistration {
  /** The names that the agent sees, in their order. */
  readonly names: readonly string[];
  /** Unregisters the tools and stops their calls; does nothing the second time. */
  unregister(): void;
}

/** Tells whether this page can register tools. */
export function isWebMcpAvailable(): boolean {
  return findModelContext() !== null;
}

/**
 * Registers the tools with the browser.
 *
 * The budget counts the JSON of the whole answer; without `output`, it is the profile `webmcp`.
 * Registers all tools or no tool. Rejects with the signal's reason, and with `BadRequest` if the
 * page has no WebMCP, may not use it, or registers a name that WebMCP does not accept.
 */
export async function registerWebMcpTools(
  client: ToolClient,
  options: WebMcpOptions = {},
): Promise<WebMcpRegistration> {
  const { signal, exposedTo } = options;
  if (signal !== undefined) {
    SIGNAL(signal, "signal");
  }
  signal?.throwIfAborted();
  const context = options.modelContext ?? findModelContext();
  if (context === null) {
    throw new TreeglassError(
      "BadRequest",
      "This page has no WebMCP: document.modelContext is missing. Open the page over https or from localhost, in a browser that has WebMCP switched on, or load a polyfill first.",
    );
  }
  const render = (outcome: ToolOutcome) => JSON.stringify(toAnswer(outcome));
  const toolset = await createToolset(client, options, {
    output: "webmcp",
    render,
    ownOptions: ["modelContext", "signal", "exposedTo"],
  });
  const names = toolset.tools.map(({ name }) => name);
  const registration = new AbortController();
  const until = AbortSignal.any([registration.signal, ...(signal === undefined ? [] : [signal])]);
  let current = "";
  try {
    for (const tool of toWebMcpTools(toolset, until)) {
      current = tool.name;
      until.throwIfAborted();
      await context.registerTool(tool, {
        signal: until,
        ...(exposedTo === undefined ? {} : { exposedTo: [...exposedTo] }),
      });
    }
    until.throwIfAborted();
  } catch (error) {
    registration.abort();
    signal?.throwIfAborted();
    throw wordRefusal(current, error);
  }
  return { names, unregister: () => registration.abort() };
}

function findModelContext(): WebMcpModelContext | null {
  const { document, navigator } = globalThis;
  for (const holder of [document, navigator]) {
    // The older property comes last: a polyfill logs a warning when it is read.
    const context: unknown = holder === undefined ? null : Reflect.get(holder, "modelContext");
    if (isModelContext(context)) {
      return context;
    }
  }
  return null;
}

function isModelContext(value: unknown): value is WebMcpModelContext {
  return (
    typeof value === "object" &&
    value !== null &&
    "registerTool" in value &&
    typeof value.registerTool === "function"
  );
}

function toWebMcpTools(toolset: Toolset, until: AbortSignal): WebMcpTool[] {
  return toolset.tools.map(({ name, title, description, inputSchema, annotations }) => ({
    name,
    title,
    description,
    inputSchema,
    // The author of the tree wrote the file names and the contents.
    annotations: { readOnlyHint: annotations.readOnlyHint, untrustedContentHint: true },
    execute: async (input, { signal } = {}) => {
      const signals = signal === undefined ? [until] : [until, signal];
      try {
        return toAnswer(await toolset.call(name, input, { signal: AbortSignal.any(signals) }));
      } catch {
        // Only an abort gets here. A rejection without a listener would log an error to the console.
        const text = until.aborted ? "The page took this tool away." : "The call was stopped.";
        return toAnswer({ text, isError: true, result: null });
      }
    },
  }));
}

function toAnswer({ text, isError, result }: ToolOutcome): WebMcpAnswer {
  return isError
    ? { ok: false, error: { kind: result?.error?.kind ?? "NotCalled", message: text } }
    : { ok: true, text };
}

function wordRefusal(name: string, cause: unknown): TreeglassError {
  const quoted = JSON.stringify(name);
  const why: Readonly<Record<string, string>> = {
    InvalidStateError: `A tool ${quoted} is registered in this page already; choose other names with prefix or rename.`,
    NotAllowedError:
      'This page may not register tools; an iframe needs allow="tools" from its parent page.',
    SecurityError:
      "The browser refuses tools for this page or for an origin in exposedTo; serve the page with the header Origin-Agent-Cluster: ?1, and name origins on https or localhost.",
    NotSupportedError: "This WebMCP cannot show tools to other origins; leave exposedTo out.",
  };
  const named = cause instanceof Error ? cause.name : "";
  const message = Object.hasOwn(why, named)
    ? why[named]
    : `The browser did not take the tool ${quoted}.`;
  return new TreeglassError("BadRequest", `${message}`, { cause });
}
