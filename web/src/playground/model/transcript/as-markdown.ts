/** Transcripts and tables as Markdown, for a person who pastes them elsewhere. */

import type { CallEntry, TranscriptEntry } from "./transcript.ts";

export interface Report {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly {
    readonly cells: readonly string[];
    /** Empty if there is nothing to say. */
    readonly details: string;
  }[];
  /** True if the details are lines and not Markdown. */
  readonly isCode: boolean;
}

export function reportAsMarkdown({ title, head, rows, isCode }: Report): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(" | ")} |`;
  const table = [line(head), line(head.map(() => "---")), ...rows.map(({ cells }) => line(cells))];
  const details = rows
    .filter(({ details }) => details !== "")
    .map(({ cells, details }) => {
      return `### ${cells[0] ?? ""}\n\n${isCode ? fence(details, "diff") : details}`;
    });
  return `${[`## ${title}`, table.join("\n"), ...details].join("\n\n")}\n`;
}

export function transcriptAsMarkdown(entries: readonly TranscriptEntry[]): string {
  const parts = entries.map(entryAsMarkdown).filter((part) => part.trim() !== "");
  return `${parts.join("\n\n")}\n`;
}

function entryAsMarkdown(entry: TranscriptEntry): string {
  switch (entry.type) {
    case "conversation":
      return `## ${[entry.model, entry.tree].filter((part) => part).join(" · ")}`;
    case "question":
      return `**Question:** ${entry.text}`;
    case "turn":
      return entry.text;
    case "call":
      return callAsMarkdown(entry);
    case "notice":
      return `> ${entry.text.replaceAll("\n", "\n> ")}`;
  }
}

function callAsMarkdown({ name, arguments: args, text, outcome, estimatedTokens }: CallEntry) {
  const spelled = typeof args === "string" ? args : JSON.stringify(args);
  const size = `about ${estimatedTokens} tokens`;
  return `**${name}** (${outcome}, ${size})\n\n${fence(spelled, "json")}\n\n${fence(text, "text")}`;
}

export function fence(text: string, language: string): string {
  const ticks = ticksAround(text, 3);
  return `${ticks}${language}\n${text}\n${ticks}`;
}

/** Returns ticks to put around a text: more than stand together in it. */
export function ticksAround(text: string, least: number): string {
  const runs = Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length + 1);
  return "`".repeat(Math.max(least, ...runs));
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
