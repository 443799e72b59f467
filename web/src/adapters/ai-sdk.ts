/** The tools as the Vercel AI SDK takes them. */
import { dynamicTool, jsonSchema, type ToolSet } from "ai";
import { isRecord } from "../protocol/checks.ts";
import type { ToolClient } from "./tool-client.ts";
import type { ToolOutcome } from "./tool-outcome.ts";
import { createToolset, type ToolsetOptions } from "./toolset.ts";

/**
 * Returns tools for `generateText`, `streamText` and agents, by the names that the model sees.
 *
 * The output of each, which the page's own interface gets, is a `ToolOutcome`: plain JSON. The
 * model gets its text, as `error-text` where the call failed; an execution rejects only where the
 * SDK aborts it. Pass the same tools to `convertToModelMessages`, so that stored messages become
 * what the model was given.
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
        execute: (input, { toolCallId, abortSignal }) =>
          toolset.call(name, input, { callId: toolCallId, signal: abortSignal }),
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
