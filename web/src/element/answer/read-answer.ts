/** Reads an answer that is JSON for a reader; other answers are texts that a person reads as they are. */
import { type AnswerRow, readRows, readText, wordNoMatches } from "../../ui/answer-rows.ts";
import { formatCounted } from "../../ui/format-quantities.ts";
import type { AnsweredCall, FoundMatch } from "../../ui/found-matches.ts";
import { escapeJson, showName } from "../../ui/hostile-characters.ts";
import { isJsonObject, parseJsonObject, renderJson } from "../../ui/json.ts";
import { cutIntoPieces } from "../../ui/line-pieces.ts";
import { makeElement } from "../../ui/make-element.ts";

export type ReadableAnswer =
  | { readonly kind: "rows"; readonly rows: readonly AnswerRow[] }
  | { readonly kind: "text"; readonly text: string };

export function readAnswer(call: AnsweredCall): ReadableAnswer | null {
  if (parseJsonObject(call.result.content) === null) {
    return null;
  }
  const rows = readRows(call);
  return rows.length > 0
    ? { kind: "rows", rows }
    : { kind: "text", text: wordNoMatches(call) ?? textOf(call.result.content) };
}

/** Returns a recorded text as an answer, which it was. */
export function resultOf(content: string, isError: boolean): AnsweredCall["result"] {
  return { content, isError, structuredContent: parseJsonObject(content) };
}

/** The sentence of an error, the text of a file, or the JSON with indents. */
function textOf(content: string): string {
  const answer = parseJsonObject(content);
  const error = isJsonObject(answer?.error) ? answer.error.message : undefined;
  if (typeof error === "string") {
    return error;
  }
  const text = readText({ content, structuredContent: answer, error: null });
  return text === content ? escapeJson(renderJson(answer)) : text;
}

/** More rows would make the page slow; the model's view has them all. */
const MAX_SHOWN = 500;

/** Returns a sentence that counts the rows, and the list of them. */
export function drawRows(rows: readonly AnswerRow[]): readonly HTMLElement[] {
  const lineCount = rows.reduce((count, { lines }) => count + lines.length, 0);
  const summary =
    lineCount > 0
      ? `${formatCounted(lineCount, "line")} in ${formatCounted(rows.length, "file")}`
      : formatCounted(rows.length, "entry", "entries");
  const items = rows.slice(0, MAX_SHOWN).map(drawRow);
  const rest = rows.length - items.length;
  return [
    makeElement("p", {}, rest > 0 ? `${summary}; the first ${MAX_SHOWN} are shown` : summary),
    makeElement("ul", {}, ...items),
  ];
}

function drawRow({ name, kind, lines }: AnswerRow): HTMLElement {
  const path = makeElement("span", { class: "name", dir: "ltr" });
  path.append(showName(kind === "dir" ? `${name}/` : name));
  if (kind === "link") {
    path.append(" \u2192", makeElement("span", { class: "visually-hidden" }, " (link)"));
  }
  return makeElement("li", {}, path, ...lines.slice(0, MAX_SHOWN).map(drawLine));
}

function drawLine(match: FoundMatch): HTMLElement {
  const code = makeElement("code");
  for (const { text, isMatch } of cutIntoPieces(match)) {
    code.append(isMatch ? makeElement("mark", {}, text) : text);
  }
  const number = makeElement("span", { class: "number" }, String(match.line));
  return makeElement("div", { class: "line" }, number, code);
}
