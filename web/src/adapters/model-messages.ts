/** The sentences that a model reads from the page instead of a tool. */
import { isRecord } from "../lib/checks.ts";
import type { ToolResult } from "../protocol/tools.ts";
import type { OutputProfile } from "./output-profile.ts";
import type { ToolOutcome } from "./toolset-types.ts";

/** A longer name, made up by a model, is cut in the answer. */
const MAX_QUOTED_CHARACTERS = 100;

export const refusal = {
  unknown: (name: string, names: readonly string[]) =>
    refused(
      `There is no tool ${JSON.stringify(String(name).slice(0, MAX_QUOTED_CHARACTERS))}; ` +
        `the tools are: ${names.join(", ")}.`,
    ),
  denied: (summary: string) =>
    refused(`The call was not approved: ${summary}. Go on without it, or ask for something else.`),
  tooDeep: (name: string) =>
    refused(
      `The arguments of ${name} are nested too deeply to be read; call it with those that its schema names.`,
    ),
  tooLarge: ({ max, unit }: OutputProfile) =>
    refused(`No answer fits into ${max} ${unit}; ask for less at once.`),
};

/** Says why a call failed, without internals of the page or of the runtime. */
export function wordFailure(name: string, error: unknown): ToolOutcome {
  switch (isRecord(error) ? error.name : null) {
    case "TimedOut":
      return refused(`${name} ran for too long and was stopped; ask for less at once.`);
    case "Closed":
      return refused("The tools were closed; no call can be made any more.");
    case "SourceUnreadable":
      return refused("The tree can no longer be read; ask the person to mount it again.");
    default:
      return refused(`${name} could not be called; try it once more.`);
  }
}

/** For each tool that lists, the one of its family that searches. */
export const SEARCHING_TOOLS: Readonly<Record<string, string>> = {
  list_dir: "grep_files",
  LS: "Grep",
  list_directory: "Search",
};

/**
 * Returns one more line that says how to go on; an empty text if there is nothing to say.
 *
 * @param searcher the tool that would find one place in a listing that goes on, if there is one.
 */
export function guideFor(
  name: string,
  { isError, truncated, nextArguments, warnings }: ToolResult,
  searcher: string | null,
): string {
  if (nextArguments !== null) {
    const search = searcher === null ? "" : `; to find one place, call ${searcher}`;
    return `\n[More: call ${name} with ${JSON.stringify(nextArguments)}${search}]`;
  }
  const [warning] = warnings;
  return (truncated || isError) && warning !== undefined ? `\n[${warning}]` : "";
}

function refused(text: string): ToolOutcome {
  return { text, isError: true, result: null };
}
