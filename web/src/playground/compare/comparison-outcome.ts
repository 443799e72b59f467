/** The result of a comparison, in a sentence about all three tools. */

import { TreeglassError } from "../../index.ts";
import { sentenceOf } from "../../page-parts/error-sentence.ts";
import { formatCount } from "../../page-parts/format-quantities.ts";
import type { ComparedTool } from "./comparison.ts";
import type { ToolWalk } from "./tool-walk.ts";

/** Why a tool has no answer, or no further answer. */
export interface CallFailure {
  /** For the column's badge. */
  readonly word: string;
  readonly sentence: string;
}

/** Returns the words for a call without an answer. */
export function describeFailure(tool: ComparedTool, error: unknown): CallFailure {
  return error instanceof TreeglassError && error.name === "TimedOut"
    ? { word: error.name, sentence: sentenceOf(error) }
    : { word: "not called", sentence: `${tool} was not called: ${sentenceOf(error)}` };
}

/** Returns each tool's result of its first call, then the sentences about failed calls. */
export function wordOutcome(
  tools: readonly ComparedTool[],
  walks: ReadonlyMap<ComparedTool, ToolWalk>,
  failures: ReadonlyMap<ComparedTool, CallFailure>,
): string {
  const parts = tools.map((tool) => wordTool(tool, walks.get(tool), failures.get(tool)));
  const sentences = [...failures.values()].map(({ sentence }) => sentence);
  const outcome = parts.join(", ");
  return sentences.length === 0 ? outcome : `${outcome}. ${sentences.join(" ")}`;
}

function wordTool(tool: ComparedTool, walk?: ToolWalk, failure?: CallFailure): string {
  const last = walk?.pages.at(-1);
  if (walk === undefined || last === undefined) {
    return `${tool} ${failure === undefined ? "stopped" : "failed"}`;
  }
  const tokens = formatCount(walk.totals.estimatedTokens);
  return last.result.isError ? `${tool} refused` : `${tool} about ${tokens} tokens`;
}
