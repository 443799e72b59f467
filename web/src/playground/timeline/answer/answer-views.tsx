/** The views of an answer: for a person, exactly as the model reads it, as data, and its arguments. */

import { useState } from "preact/hooks";
import type { ToolResult } from "../../../index.ts";
import { type AnswerRow, readRows, readText, wordNoMatches } from "../../../ui/answer-rows.ts";
import { formatCounted } from "../../../ui/format-quantities.ts";
import type { FoundMatch } from "../../../ui/found-matches.ts";
import { escapeJson } from "../../../ui/hostile-characters.ts";
import { parseJsonObject, renderJson } from "../../../ui/json.ts";
import { cutIntoPieces } from "../../../ui/line-pieces.ts";
import { Scrolling } from "../../shell/scrolling.tsx";
import { Tabs } from "../../shell/tabs.tsx";
import type { PageState } from "../../state/page-state.ts";
import type { CallItem } from "../../state/timeline.ts";
import { countSuspicious, MarkedText } from "../../text/marked-text.tsx";
import { findNote, MOUNT_PATH, searchesLines, spellPath } from "../../tool-notes.ts";
import { callOf } from "../call-words.ts";

export interface AnswerProps {
  readonly page: PageState;
  readonly item: CallItem;
  readonly result: ToolResult;
}

export function AnswerViews(props: AnswerProps) {
  const { item, result } = props;
  const data = result.structuredContent;
  const remark = item.toolName === "Grep" && !result.isError && !result.truncated && (
    <p class="dim">“partial” is this design's word for each search without ripgrep.</p>
  );
  const code = (label: string, text: string) => ({
    label,
    draw: () => (
      <>
        {label === "Data" && remark}
        <TextBox label={`${label} of ${item.toolName}`} text={escapeJson(text)} />
      </>
    ),
  });
  const tabs = [
    { label: "Answer", draw: () => <Answer {...props} /> },
    {
      label: "As the model reads it",
      draw: () => (
        <>
          {remark}
          <ExactText toolName={item.toolName} text={result.content} />
        </>
      ),
    },
    ...(data === null ? [] : [code("Data", renderJson(data))]),
    code("Arguments", item.argumentsText),
  ];
  return <Tabs label={`Views of the answer of ${item.toolName}`} tabs={tabs} />;
}

function Answer({ page, item, result }: AnswerProps) {
  const label = `Answer of ${item.toolName}`;
  const call = { ...item, result, mountPath: MOUNT_PATH };
  const rows = readRows(call);
  return rows.length === 0 ? (
    <TextBox
      label={label}
      text={wordNoMatches(call) ?? (readText(result) || "The answer is empty.")}
    />
  ) : (
    <Scrolling label={label} {...(searchesLines(item.toolName) && { onKeyDown: moveToMatch })}>
      <AnswerRowList page={page} item={item} rows={rows} />
    </Scrolling>
  );
}

/** A text as a model reads it; its suspicious characters are spelled out on demand. */
export function ExactText({
  toolName,
  text,
}: {
  readonly toolName: string;
  readonly text: string;
}) {
  const [isMarked, setMarked] = useState(false);
  const count = countSuspicious(text);
  return (
    <>
      {count > 0 && (
        <button type="button" aria-pressed={isMarked} onClick={() => setMarked(!isMarked)}>
          {formatCounted(count, "suspicious character")} – {isMarked ? "hide" : "show"}
        </button>
      )}
      <TextBox label={`Text of ${toolName}`} text={text} isMarked={isMarked} />
    </>
  );
}

interface TextBoxProps {
  readonly label: string;
  readonly text: string;
  readonly isMarked?: boolean;
}

function TextBox({ label, text, isMarked = false }: TextBoxProps) {
  return (
    <Scrolling label={label}>
      <pre>{isMarked ? <MarkedText text={text} /> : text}</pre>
    </Scrolling>
  );
}

/** More rows, or more lines of a row, would make the page slow; the other views have them all. */
const MAX_SHOWN = 500;

interface AnswerRowListProps {
  readonly page: PageState;
  readonly item: CallItem;
  readonly rows: readonly AnswerRow[];
}

function AnswerRowList({ page, item, rows }: AnswerRowListProps) {
  const lineCount = rows.reduce((count, { lines }) => count + lines.length, 0);
  const inRows = formatCounted(rows.length, lineCount > 0 ? "file" : "row");
  return (
    <>
      <p class="dim">
        {lineCount > 0 ? `${formatCounted(lineCount, "line")} in ${inRows}` : inRows}
        {searchesLines(item.toolName) && <span class="keys"> · n / p: next, previous match</span>}
      </p>
      <ul class="found">
        {rows.slice(0, MAX_SHOWN).map((row) => (
          <li key={row.path}>
            <button type="button" class="found-file" onClick={() => openRow(page, item, row)}>
              {row.kind === "dir" ? `${row.name}/` : row.name}
              {row.kind === "link" && <span class="dim">link</span>}
              {row.lines.length > 0 && <span class="dim">{row.lines.length}</span>}
            </button>
            {row.lines.slice(0, MAX_SHOWN).map((match, index) => (
              <button
                type="button"
                class="found-line"
                key={`${match.line}-${index}`}
                onClick={() => openLine(page, match)}
              >
                <span class="dim">{match.line}</span>
                <code>{drawLine(match)}</code>
              </button>
            ))}
            <More count={row.lines.length - MAX_SHOWN} />
          </li>
        ))}
      </ul>
      <More count={rows.length - MAX_SHOWN} />
    </>
  );
}

/** Moves the focus to the next or the previous line of a search; to a file, if it names no lines. */
function moveToMatch(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const { key, target, currentTarget: box } = event;
  const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey;
  if ((key === "n" || key === "p") && isPlain && target instanceof Node) {
    event.preventDefault();
    const side = key === "n" ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING;
    const lines = box.querySelectorAll<HTMLElement>(".found-line");
    const matches = lines.length > 0 ? lines : box.querySelectorAll<HTMLElement>(".found-file");
    const there = [...matches].filter((each) => target.compareDocumentPosition(each) & side);
    there.at(key === "n" ? 0 : -1)?.focus();
  }
}

function More({ count }: { readonly count: number }) {
  return count > 0 ? (
    <p class="dim">{formatCounted(count, "further row")}: see the next tab.</p>
  ) : null;
}

function openLine(page: PageState, { path, line }: FoundMatch): void {
  page.showFile(path, line === null ? null : { first: line, last: line });
}

/** Opens a file in the viewer, at its first match; lists a directory by the same tool. */
function openRow(page: PageState, item: CallItem, { path, kind, lines }: AnswerRow): void {
  const note = findNote(item.toolName);
  const [first] = lines;
  if (first !== undefined) {
    openLine(page, first);
    return;
  }
  if (kind !== "dir" || note === undefined) {
    page.showFile(path);
    return;
  }
  const { offset: _, cursor: __, ...values } = parseJsonObject(item.argumentsText) ?? {};
  const argumentsText = renderJson({ ...values, [note.pathArgument]: spellPath(note, path) });
  void page.call({ ...callOf(item), argumentsText }, "you");
}

/** Keeps the indentation, unless the line is too long. */
function drawLine(match: FoundMatch) {
  return cutIntoPieces(match).map(({ text, isMatch }, index) => {
    const words = <MarkedText key={index} text={text} />;
    return isMatch ? <mark key={index}>{words}</mark> : words;
  });
}
