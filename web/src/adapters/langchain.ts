/** The tools for LangChain.js. */
import { type InvalidToolCall, ToolMessage } from "@langchain/core/messages/tool";
import * as core from "@langchain/core/tools";
import type { JSONSchema } from "@langchain/core/utils/json_schema";
import { isRecord } from "../lib/checks.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type { ToolDefinition } from "../protocol/tools.ts";
import { createToolset, type Toolset, type ToolsetOptions } from "./toolset.ts";
import type { ToolClient } from "./toolset-types.ts";

/** The arguments alone, or a call that LangChain could not parse. */
type ToolInput = Record<string, unknown> | InvalidToolCall;

/**
 * One tool of a toolset.
 *
 * `invoke` takes one of a message's `tool_calls` or `invalid_tool_calls`, or the arguments alone.
 * It resolves with a `ToolMessage`: its status is `error` if the call failed, and its artifact is the
 * `ToolResult`, or null. It rejects only if `config.signal` aborts.
 */
export class TreeglassTool extends core.StructuredTool<
  JSONSchema,
  unknown,
  ToolInput,
  ToolMessage
> {
  name: string;
  description: string;
  schema: JSONSchema;
  readonly #toolset: Toolset;

  /** Use `langChainTools`. */
  constructor(toolset: Toolset, { name, description, inputSchema }: ToolDefinition) {
    super();
    this.#toolset = toolset;
    this.name = name;
    this.description = description;
    this.schema = inputSchema;
  }

  override async invoke<
    Input extends core.StructuredToolCallInput<JSONSchema, ToolInput>,
    Config extends core.ToolRunnableConfig | undefined,
  >(input: Input, config?: Config): Promise<ToolMessage> {
    if (isCallOf("invalid_tool_call", input)) {
      // Its arguments are not JSON, and the tool itself refuses them.
      return this.#answer(input.args, input.id, config?.signal);
    }
    try {
      return await super.invoke(input, config);
    } catch (error) {
      if (!(error instanceof core.ToolInputParsingException)) {
        throw error;
      }
      // LangChain only says that the schema is not met; the tool says what is wrong.
      const { args, id } = isCallOf("tool_call", input) ? input : { args: input, id: undefined };
      return this.#answer(args, id, config?.signal);
    }
  }

  protected override _call(
    args: unknown,
    _runManager?: unknown,
    config?: core.ToolRunnableConfig,
  ): Promise<ToolMessage> {
    return this.#answer(args, config?.toolCall?.id, config?.signal);
  }

  async #answer(
    args: unknown,
    callId: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<ToolMessage> {
    const { name } = this;
    const call = { signal, callId: callId ?? null };
    const { text, isError, result } = await this.#toolset.call(name, args, call);
    return new ToolMessage({
      content: text,
      artifact: result,
      status: isError ? "error" : "success",
      tool_call_id: callId ?? "",
      name,
    });
  }
}

/**
 * Returns tools for `bindTools`, `createAgent` and `ToolNode`.
 *
 * Rejects with `BadRequest` as `createToolset` does, and if LangChain is older than 0.3.55.
 */
export async function langChainTools(
  client: ToolClient,
  options: ToolsetOptions = {},
): Promise<TreeglassTool[]> {
  // An older one takes a JSON Schema for one of zod's, and fails when a model gets the tools.
  if (core.isStructuredToolParams === undefined) {
    throw new TreeglassError(
      "BadRequest",
      "langChainTools needs @langchain/core 0.3.55 or newer, and an older one is installed: npm install @langchain/core@1.",
    );
  }
  const toolset = await createToolset(client, options, { nullsAreAbsent: true });
  return toolset.tools.map((definition) => new TreeglassTool(toolset, definition));
}

function isCallOf(type: string, input: unknown): input is { args: unknown; id?: string } {
  return isRecord(input) && input.type === type;
}
