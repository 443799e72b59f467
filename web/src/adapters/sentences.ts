/** What a model is told by the page and not by a tool. */
import { isRecord } from "../lib/checks.ts";
import type { ToolResult } from "../protocol/tools.ts";
import type { OutputProfile } from "./output-profile.ts";
import type { ToolOutcome } from "./tool-outcome.ts";

/** The most that is said again of a name that a model made up. */
const MAX_SAID_LETTERS = 100;

export const refusal = {
  unknown: (name: string, names: readonly string[]) =>
    refused(
      `There is no tool ${JSON.stringify(String(name).slice(0, MAX_SAID_LETTERS))}; ` +
        `the tools are: ${names.join(", ")}.`,
    ),
  denied: (summary: string) =>
    refused(`The call was not approved: ${summary}. Go on without it, or ask for something else.`),
  tooLarge: ({ max, unit }: OutputProfile) =>
    refused(`No answer fits into ${max} ${unit}; ask for less at once.`),
};

/** Words why a call could not be made, with nothing of the page's or the runtime's own. */
export function wordFailure(name: string, error: unknown): ToolOutcome {
  switch (isRecord(error) ? error.kind : null) {
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

/** Returns one more line that tells how to go on; nothing where nothing was left out. */
export function guideFor(name: string, { truncated, nextArguments, warnings }: ToolResult): string {
  if (nextArguments !== null) {
    return `\n[More: call ${name} with ${JSON.stringify(nextArguments)}]`;
  }
  const [warning] = warnings;
  return truncated && warning !== undefined ? `\n[${warning}]` : "";
}

function refused(text: string): ToolOutcome {
  return { text, isError: true, result: null };
}
