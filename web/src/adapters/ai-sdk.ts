/** The tools as the Vercel AI SDK takes them. */
import { dynamicTool, jsonSchema, type ToolSet } from "ai";
import { isRecord } from "../lib/checks.ts";
import type { ToolClient } from "./tool-client.ts";
import type { ToolOutcome } from "./tool-outcome.ts";
import { createToolset, type ToolsetOptions } from "./toolset.ts";

/**
 * Returns tools for `generateText`, `streamText` and agents, by the names that the model sees.
 *
 * The output of each, which the page's own interface gets, is `{ text, isError }`. The model gets
 * the text, as `error-text` where the call failed; an execution rejects only where the SDK aborts
 * it. Pass the same tools to `convertToModelMessages`, so that stored messages become what the model
 * was given.
 *
 * Rejects with `BadRequest` as `createToolset` does.
 */
export async function aiSdkTools(
  client: ToolClient,
  options: ToolsetOptions = {},
): Promise<ToolSet> {
  const toolset = await createToolset(client, options, { nullsAreAbsent: true });
  return Object.fromEntries(
    toolset.tools.map(({ name, title, description, inputSchema }) => [
      name,
      dynamicTool({
        title,
        description,
        // Without a validator: the tool refuses wrong arguments in words that the model can use.
        inputSchema: jsonSchema(inputSchema),
        execute: async (input, { toolCallId, abortSignal }) => {
          const call = { callId: toolCallId, signal: abortSignal };
          // No more than that: what is stored reaches a model as it is where the tools are not known.
          const { text, isError } = await toolset.call(name, input, call);
          return { text, isError };
        },
        toModelOutput: ({ output }) => toModelOutput(output),
      }),
    ]),
  );
}

function toModelOutput(output: unknown) {
  if (!isOutcome(output)) {
    // Stored by something else under the tool's name.
    return { type: "text" as const, value: JSON.stringify(output ?? null) };
  }
  const { text, isError } = output;
  return isError
    ? { type: "error-text" as const, value: text }
    : { type: "text" as const, value: text };
}

function isOutcome(output: unknown): output is Pick<ToolOutcome, "text" | "isError"> {
  return isRecord(output) && typeof output.text === "string" && typeof output.isError === "boolean";
}
