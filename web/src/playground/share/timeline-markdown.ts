/** The timeline as Markdown, to take along. */

import { fence, ticksAround } from "../model/transcript/as-markdown.ts";
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
      return `${head}\n\n${fence(standing.value.result.content, "text")}`;
    case "failed":
      return `${head}\n\n${standing.value.sentence}`;
    case "running":
      return `${head}\n\nStill running.`;
    case "stopped":
      return `${head}\n\nStopped.`;
  }
}

function inline(text: string): string {
  const ticks = ticksAround(text, 1);
  return `${ticks} ${text.replaceAll("\n", " ")} ${ticks}`;
}
