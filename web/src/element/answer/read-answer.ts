/** Reads an answer that is JSON for a reader; other answers are texts that a person reads as they are. */
import { type AnswerRow, readRows, readText } from "../../ui/answer-rows.ts";
import type { AnsweredCall } from "../../ui/found-matches.ts";
import { escapeJson } from "../../ui/hostile-characters.ts";
import { isJsonObject, parseJsonObject, renderJson } from "../../ui/json.ts";

/** An answer for a reader: the files that it names, or a text. */
export type ReadableAnswer =
  | { readonly kind: "rows"; readonly rows: readonly AnswerRow[] }
  | { readonly kind: "text"; readonly text: string };

/** Returns the answer for a reader; null if it is no JSON. */
export function readAnswer(call: AnsweredCall): ReadableAnswer | null {
  if (parseJsonObject(call.result.content) === null) {
    return null;
  }
  const rows = readRows(call);
  return rows.length > 0
    ? { kind: "rows", rows }
    : { kind: "text", text: textOf(call.result.content) };
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
