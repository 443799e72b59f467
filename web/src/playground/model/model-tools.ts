/** The tools that a model of each family gets, and the configuration that offers them. */

import type { ConfigDocument } from "../../index.ts";
import { TOOL_NOTES, type ToolFamily } from "../tool-notes.ts";

/** The tools that change, and the one that reads for them. */
const EDITING: Readonly<Record<ToolFamily, readonly string[]>> = {
  codex: ["apply_patch"],
  envelope: ["Edit", "Write", "MultiEdit"],
  // Its edits are refused unless this tool has read the lines.
  Forge: ["forge.Read", "forge.Edit", "forge.Write"],
};

/** Tells whether a tool changes files, by the name that the client offers it by. */
export function isChanging(toolName: string): boolean {
  return CHANGING.includes(toolName);
}

const CHANGING: readonly string[] = ["apply_patch", "Edit", "Write", "MultiEdit"];

/** Returns the names of a family's tools, for a configuration or a toolset. */
export function toolsOf(family: ToolFamily): readonly string[] {
  return [...readingTools((own) => own === family), ...EDITING[family]];
}

/**
 * Returns the configuration that offers all tools that read, and those of a family that change.
 *
 * Undefined offers no tool that changes: a client takes those of one family only. `own` is the
 * visitor's configuration, whose lists of tools hold while no family is to change files.
 */
export function configOffering(
  family: ToolFamily | undefined,
  own: ConfigDocument = {},
): ConfigDocument {
  const editing = family === undefined ? [] : EDITING[family];
  const codex = [...readingTools((own) => own === "codex"), ...(family === "codex" ? editing : [])];
  const others = readingTools((own) => own !== "codex");
  const lists = {
    experimental_supported_tools: codex,
    offered: family === "codex" ? others : [...others, ...editing],
    // Two tools are called `Read`.
    names: { "forge.Read": "forge_read" },
  };
  const tools = family === undefined ? { ...lists, ...own.tools } : { ...own.tools, ...lists };
  return { ...own, tools };
}

function readingTools(isWanted: (family: ToolFamily) => boolean): readonly string[] {
  return TOOL_NOTES.filter(({ family }) => isWanted(family)).map(({ name }) => name);
}
