import type { ToolArguments, ToolStructuredContent } from "../generated/tool-types.ts";

/** The name of a built-in tool. */
export type ToolName = keyof ToolArguments;

/** A JSON Schema, as a tool publishes it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** MCP's hints about what a tool does. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** A tool as a host describes it to its model: MCP's shape, ready for `tools/list`. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Schema of `ToolResult.structuredContent`, where the tool has one. */
  readonly outputSchema?: JsonSchema;
  readonly annotations: ToolAnnotations;
  /** The family, approval and risk, for which MCP has no field. */
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/**
 * The shapes that agent hosts take, by the names of `treeglass tools --format`.
 *
 * `openai` is the Responses API, `openai-chat` is Chat Completions; both are strict.
 * `openai-custom` is `openai` with custom tools for those whose input may be a plain text.
 */
export type ToolFormat =
  | "mcp"
  | "openai"
  | "openai-custom"
  | "openai-chat"
  | "anthropic"
  | "gemini";

/** The tools of `describeTools`, as JSON. */
export type DescribedTools = readonly Readonly<Record<string, unknown>>[];

/** Why a call failed, in the words of the tool's family. */
export interface ToolFailure {
  /** The family's own word: `RespondToModel`, `NOT_FOUND`, `BadArgs`, ... */
  readonly kind: string;
  /** A sentence for the model. */
  readonly message: string;
}

/**
 * The answer to one call; an agent's mistake is an answer too.
 *
 * `Name` is the tool's name; with any text as the name, the data has unknown values.
 */
export interface ToolResult<Name extends string = string> {
  /** Exactly the text that the tool's specification prescribes, success or error. */
  readonly content: string;
  /** The same answer as data, where the tool defines it. */
  readonly structuredContent:
    | (Name extends ToolName ? ToolStructuredContent[Name] : Readonly<Record<string, unknown>>)
    | null;
  readonly isError: boolean;
  /** Why the call failed; null if it did not. */
  readonly error: ToolFailure | null;
  /** True if something was left out. */
  readonly truncated: boolean;
  /** The arguments of the call that continues this one. */
  readonly nextArguments:
    | (Name extends ToolName ? ToolArguments[Name] : Readonly<Record<string, unknown>>)
    | null;
  /** Sentences that a host may pass to its model; never part of the content. */
  readonly warnings: readonly string[];
  /** The time that the call took, including its waits for content, in milliseconds. */
  readonly elapsedMs: number;
  /** The number of the last step of the changes; 0 or missing if nothing was ever proposed. */
  readonly version?: number;
}
