/** A text in which the characters that could forge or hide text are visible marks. */

import { HOSTILE, spell } from "../../lib/spelling.ts";

// A line end of Windows is no mark.
const RUN = new RegExp(`(?:(?!\\r\\n)${HOSTILE})+`, "gu");
const MAX_SPELLED = 8;

/** Returns how many suspicious characters a text has. */
export function countSuspicious(text: string): number {
  let count = 0;
  for (const [run] of text.matchAll(RUN)) {
    count += Array.from(run).length;
  }
  return count;
}

/** Returns the parts of a text, and whether each is a run of suspicious characters. */
export function splitSuspicious(
  text: string,
): readonly { readonly text: string; readonly isMark: boolean }[] {
  const parts: { text: string; isMark: boolean }[] = [];
  let end = 0;
  for (const { 0: run, index } of text.matchAll(RUN)) {
    parts.push({ text: text.slice(end, index), isMark: false });
    // One mark for a run: a file of zeros must not become a million elements.
    parts.push({ text: spellRun(Array.from(run)), isMark: true });
    end = index + run.length;
  }
  parts.push({ text: text.slice(end), isMark: false });
  return parts.filter((part) => part.text !== "");
}

function spellRun(characters: readonly string[]): string {
  const spelled = characters
    .slice(0, MAX_SPELLED)
    .map((character) => `U+${spell(character).padStart(4, "0")}`);
  const more = characters.length - spelled.length;
  return more > 0 ? `${spelled.join(" ")} and ${more} more` : spelled.join(" ");
}

export function MarkedText({ text }: { readonly text: string }) {
  return splitSuspicious(text).map((part, index) =>
    part.isMark ? (
      <span key={index} class="invisible">
        {part.text}
      </span>
    ) : (
      part.text
    ),
  );
}
