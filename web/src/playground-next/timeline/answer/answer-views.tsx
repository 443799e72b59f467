/** The views of an answer: for a person, exactly as the model reads it, as data, and its arguments. */

import { useState } from "preact/hooks";
import type { ToolResult } from "../../../index.ts";
import { formatCounted } from "../../../page-parts/format-quantities.ts";
import { escapeJson } from "../../../page-parts/hostile-characters.ts";
import { parseJsonObject, renderJson } from "../../../page-parts/json.ts";
import { findNote, spellPath } from "../../../playground/tool-notes.ts";
import type { PageState } from "../../state/page-state.ts";
import type { CallItem } from "../../state/timeline.ts";
import { MarkedText } from "../marked-text.tsx";
import { Scrolling } from "../scrolling.tsx";
import { type AnswerRows, type ListedRow, readAnswer } from "./answer-rows.ts";
import { FoundFiles } from "./found-files.tsx";
import { countSuspicious } from "./suspicious.ts";
import { Tabs } from "./tabs.tsx";

export interface AnswerProps {
  readonly page: PageState;
  readonly item: CallItem;
  readonly result: ToolResult;
}

export function AnswerViews({ page, item, result }: AnswerProps) {
  const { structuredContent: data } = result;
  const code = (text: string, label: string) => () => (
    <Scrolling label={label}>
      <pre>{escapeJson(text)}</pre>
    </Scrolling>
  );
  const tabs = [
    { label: "Answer", draw: () => <Answer page={page} item={item} result={result} /> },
    { label: "As the model reads it", draw: () => <ExactText text={result.content} /> },
    ...(data === null ? [] : [{ label: "Data", draw: code(renderJson(data), "Data") }]),
    { label: "Arguments", draw: code(item.argumentsText, "Arguments") },
  ];
  return <Tabs label={`Views of the answer of ${item.toolName}`} tabs={tabs} />;
}

function Answer({ page, item, result }: AnswerProps) {
  const rows = readAnswer(item, result);
  return (
    <Scrolling label="Answer">
      <Rows page={page} item={item} rows={rows} />
      {rows.kind !== "text" && rows.hiddenCount > 0 && (
        <p class="dim">{formatCounted(rows.hiddenCount, "further row")}: see the next tab.</p>
      )}
    </Scrolling>
  );
}

interface RowsProps extends Omit<AnswerProps, "result"> {
  readonly rows: AnswerRows;
}

function Rows({ page, item, rows }: RowsProps) {
  switch (rows.kind) {
    case "matches":
      return <FoundFiles page={page} files={rows.files} />;
    case "entries":
      return (
        <ul class="listed">
          {rows.rows.map((row) => (
            <li key={row.path}>
              <button type="button" onClick={() => openRow(page, item, row)}>
                {row.name}
                {row.kind === "dir" && "/"}
                {row.kind === "link" && <span class="dim"> link</span>}
              </button>
            </li>
          ))}
        </ul>
      );
    case "text":
      return (
        <pre>{rows.text === "" ? <span class="dim">The answer is empty.</span> : rows.text}</pre>
      );
  }
}

/** Opens a file in the viewer; lists a directory by the same tool. */
function openRow(
  page: PageState,
  { toolName, ...item }: CallItem,
  { path, kind }: ListedRow,
): void {
  const note = findNote(toolName);
  if (kind !== "dir" || note === undefined) {
    page.showFile(path);
    return;
  }
  const { offset: _, cursor: __, ...values } = parseJsonObject(item.argumentsText) ?? {};
  const argumentsText = renderJson({ ...values, [note.pathArgument]: spellPath(note, path) });
  void page.call({ toolName, argumentsText, maxOutputBytes: item.maxOutputBytes }, "you");
}

function ExactText({ text }: { readonly text: string }) {
  const [isMarked, setMarked] = useState(false);
  const count = countSuspicious(text);
  return (
    <>
      {count > 0 && (
        <button type="button" aria-pressed={isMarked} onClick={() => setMarked(!isMarked)}>
          {formatCounted(count, "suspicious character")} – {isMarked ? "hide" : "show"}
        </button>
      )}
      <Scrolling label="As the model reads it">
        <pre>{isMarked ? <MarkedText text={text} /> : text}</pre>
      </Scrolling>
    </>
  );
}
