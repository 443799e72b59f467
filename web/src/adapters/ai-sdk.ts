/** The tools for the Vercel AI SDK. */
import * as ai from "ai";
import { isRecord } from "../lib/checks.ts";
import { TreeglassError } from "../protocol/errors.ts";
import { createToolset, type ToolsetOptions } from "./toolset.ts";
import type { ToolClient, ToolOutcome } from "./toolset-types.ts";

/**
 * Returns tools for `generateText`, `streamText` and agents, under the names that the model sees.
 *
 * The page's own interface gets `{ text, isError }` as the output of a tool. The model gets the
 * text, as `error-text` if the call failed. An execution rejects only if the SDK aborts it. Pass
 * the same tools to `convertToModelMessages`, so that stored messages show the model the same text
 * again.
 *
 * Rejects with `BadRequest` as `createToolset` does, and if the SDK is older than version 5.
 */
export async function aiSdkTools(
  client: ToolClient,
  options: ToolsetOptions = {},
): Promise<ai.ToolSet> {
  // Not a named import, which an older version would refuse before this line could say why.
  if (ai.dynamicTool === undefined) {
    throw new TreeglassError(
      "BadRequest",
      "aiSdkTools needs version 5, 6 or 7 of the package ai, and an older one is installed: npm install ai@7.",
    );
  }
  const toolset = await createToolset(client, options, { nullsAreAbsent: true });
  return Object.fromEntries(
    toolset.tools.map(({ name, title, description, inputSchema }) => [
      name,
      ai.dynamicTool({
        title,
        description,
        // Without a validator: the tool's own refusal tells the model what is wrong.
        inputSchema: ai.jsonSchema(inputSchema),
        execute: async (input, { toolCallId, abortSignal }) => {
          const call = { callId: toolCallId, signal: abortSignal };
          // Only these two: without the tools, a stored output reaches the model as it is.
          const { text, isError } = await toolset.call(name, input, call);
          return { text, isError };
        },
        toModelOutput: (given: unknown) => toModelOutput(outputIn(given)),
      }),
    ]),
  );
}

/** Returns the output of a call: version 5 passes it alone, later versions pass it with the call. */
function outputIn(given: unknown): unknown {
  return isRecord(given) && "toolCallId" in given && "output" in given ? given.output : given;
}

function toModelOutput(output: unknown) {
  if (!isOutcome(output)) {
    // The stored output of another tool with the same name.
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
