/** The timeline as Markdown, to take along. */

import type { CallItem, TimelineItem } from "../state/timeline.ts";

/** Returns the items that have a text, in their order. */
export function renderTimeline(treeName: string, items: readonly TimelineItem[]): string {
  const parts = items.flatMap((item) => {
    switch (item.kind) {
      case "call":
        return [renderCall(item)];
      case "question":
        return [`**Question:** ${item.text.value}`];
      case "answer":
      case "note":
      case "problem":
        return [item.text.value];
      default:
        return [];
    }
  });
  return `${[`# Calls on ${treeName.replaceAll("\n", " ")}`, ...parts].join("\n\n")}\n`;
}

function renderCall({ toolName, argumentsText, standing }: CallItem): string {
  const head = `**${toolName}** ${inline(argumentsText)}`;
  switch (standing.value.kind) {
    case "answered":
      return `${head}\n\n${fenced(standing.value.result.content)}`;
    case "failed":
      return `${head}\n\n${standing.value.sentence}`;
    case "running":
      return `${head}\n\nStill running.`;
    case "stopped":
      return `${head}\n\nStopped.`;
  }
}

/** Returns code in a line; its fence is longer than every one inside. */
function inline(text: string): string {
  const fence = fenceAround(text, 1);
  return `${fence} ${text.replaceAll("\n", " ")} ${fence}`;
}

function fenced(text: string): string {
  const fence = fenceAround(text, 3);
  return `${fence}text\n${text}\n${fence}`;
}

function fenceAround(text: string, least: number): string {
  const runs = Array.from(text.matchAll(/`+/g), ([run]) => run.length);
  return "`".repeat(Math.max(least, ...runs.map((length) => length + 1)));
}
