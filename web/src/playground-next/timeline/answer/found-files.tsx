/** The matches of a search by file; a click opens the file at the line. */

import { formatCounted } from "../../../page-parts/format-quantities.ts";
import type { FoundMatch } from "../../../playground/found-matches.ts";
import type { PageState } from "../../state/page-state.ts";
import { MarkedText } from "../marked-text.tsx";
import type { FoundFile } from "./answer-rows.ts";

/** A longer line is cut around its first match. */
const MAX_LINE_CHARACTERS = 400;
const CHARACTERS_BEFORE_A_MATCH = 80;

export function FoundFiles(props: {
  readonly page: PageState;
  readonly files: readonly FoundFile[];
}) {
  const { page, files } = props;
  const lineCount = files.reduce((count, { lines }) => count + lines.length, 0);
  const inFiles = formatCounted(files.length, "file");
  return (
    <>
      <p class="dim">
        {lineCount === 0 ? inFiles : `${formatCounted(lineCount, "line")} in ${inFiles}`}
      </p>
      <ul class="found">
        {files.map(({ path, lines }) => (
          <li key={path}>
            <button type="button" class="found-file" onClick={() => page.showFile(path)}>
              {path}
              {lines.length > 0 && <span class="dim"> {lines.length}</span>}
            </button>
            {lines.map((match, index) => (
              <button
                type="button"
                class="found-line"
                key={`${match.line}-${index}`}
                onClick={() => openMatch(page, match)}
              >
                <span class="dim">{match.line}</span>
                <code>{drawLine(match)}</code>
              </button>
            ))}
          </li>
        ))}
      </ul>
    </>
  );
}

function openMatch(page: PageState, { path, line }: FoundMatch): void {
  page.showFile(path, line === null ? null : { first: line, last: line });
}

/** Keeps the indentation, unless the line is too long. */
function drawLine({ text, marks }: FoundMatch) {
  const isCut = text.length > MAX_LINE_CHARACTERS;
  const from = isCut ? Math.max(0, (marks[0]?.[0] ?? 0) - CHARACTERS_BEFORE_A_MATCH) : 0;
  const to = isCut ? from + MAX_LINE_CHARACTERS : text.length;
  const shown = marks.filter(([start, end]) => start >= from && end <= to);
  const starts = [from, ...shown.map(([, end]) => end)];
  return [
    from > 0 && "…",
    ...starts.map((start, index) => {
      const [markStart, markEnd] = shown[index] ?? [to, to];
      return (
        <span key={start}>
          <MarkedText text={text.slice(start, markStart).replace(/[\r\n]+$/, "")} />
          {markEnd > markStart && (
            <mark>
              <MarkedText text={text.slice(markStart, markEnd)} />
            </mark>
          )}
        </span>
      );
    }),
    to < text.length && "…",
  ];
}
