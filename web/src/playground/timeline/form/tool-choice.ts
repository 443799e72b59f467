/** The tools on offer, by the design that each copies, and what a definition costs. */

import { estimateTokens } from "../../../adapters/token-estimate.ts";
import type { ToolDefinition } from "../../../index.ts";
import { findNote, TOOL_NOTES } from "../../tool-notes.ts";

/** A tool in the list. */
export interface ToolOption {
  readonly name: string;
  /** One line. */
  readonly summary: string;
}

/** The tools of a family. */
export interface ToolGroup {
  readonly family: string;
  /** Whose design it is, in one line. */
  readonly explanation: string;
  readonly tools: readonly ToolOption[];
}

const FAMILIES: Readonly<Record<string, string>> = {
  codex: "the design of OpenAI's Codex: plain text, few tokens",
  envelope: "the design of MyCodeAgent: JSON for a program, with text for a model",
  Forge: "the design of Forge, by Daniel Cazares: JSON, sizes and columns",
  other: "tools that are off by default, most of them to change files",
};

/** Returns the tools whose name or summary has each typed word, by family. */
export function groupTools(
  definitions: readonly Pick<ToolDefinition, "name" | "description">[],
  typed = "",
): readonly ToolGroup[] {
  const known = TOOL_NOTES.filter(({ name }) => definitions.some((tool) => tool.name === name));
  const others = definitions.filter(({ name }) => findNote(name) === undefined);
  const words = typed.toLowerCase().split(/\s+/);
  const options = [
    ...known.map(({ family, name, summary }) => ({ family, name, summary })),
    ...others.map(({ name, description }) => ({
      family: "other",
      name,
      summary: description.split(/(?<=[.!?])\s/, 1)[0] ?? "",
    })),
  ].filter(({ family, name, summary }) => {
    const text = `${family} ${name} ${summary}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return Object.entries(FAMILIES).flatMap(([family, explanation]) => {
    const tools = options.filter((option) => option.family === family);
    return tools.length === 0 ? [] : [{ family, explanation, tools }];
  });
}

/** Returns about how many tokens a model reads of a tool in every request. */
export function costOf({ name, description, inputSchema }: ToolDefinition): number {
  return estimateTokens(JSON.stringify({ name, description, inputSchema }));
}
