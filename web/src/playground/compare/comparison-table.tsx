/** The table of a comparison: its columns, their order, how it is drawn, and as CSV and Markdown. */

import { useState } from "preact/hooks";
import { formatCount, formatMs } from "../../ui/format-quantities.ts";
import { Scrolling } from "../timeline/scrolling.tsx";
import {
  type ComparedRow,
  type ComparedTrees,
  comparedRows,
  comparedTrees,
  type Measure,
  type Side,
} from "./compared-calls.ts";

export interface Column {
  readonly label: string;
  readonly read: (measure: Measure) => number | null;
  readonly format?: (value: number) => string;
}

export const COLUMNS: readonly Column[] = [
  { label: "Entries", read: ({ entries }) => entries },
  { label: "Tokens", read: ({ tokens }) => tokens },
  {
    label: "Tokens per entry",
    read: ({ entries, tokens, wholeTokens }) =>
      entries ? (wholeTokens ?? tokens) / entries : null,
    format: (value) => value.toFixed(1),
  },
  { label: "Tokens for the whole", read: ({ wholeTokens }) => wholeTokens },
  { label: "Calls", read: ({ calls }) => calls },
  { label: "Errors", read: ({ errors }) => errors },
  { label: "Time", read: ({ elapsedMs }) => elapsedMs, format: formatMs },
];

/** The order of the rows; `label` is that of a column, or `Tool` or `Arguments`. */
export interface Order {
  readonly label: string;
  readonly isDescending: boolean;
}

const MISSING = "–";

export function drawCell({ read, format = formatCount }: Column, measure: Measure | null): string {
  const value = measure === null ? null : read(measure);
  return value === null ? MISSING : format(value);
}

/** Returns the rows in an order; rows without the value come last. */
export function sortRows(
  rows: readonly ComparedRow[],
  order: Order | null,
): readonly ComparedRow[] {
  if (order === null) {
    return rows;
  }
  const column = COLUMNS.find(({ label }) => label === order.label);
  const sign = order.isDescending ? -1 : 1;
  return [...rows].sort((one, other) => {
    if (column === undefined) {
      return sign * textOf(one, order.label).localeCompare(textOf(other, order.label), "en");
    }
    const [left, right] = [one, other].map(({ a }) => (a === null ? null : column.read(a)));
    return left == null || right == null
      ? Number(left == null) - Number(right == null)
      : sign * (left - right);
  });
}

function textOf({ call }: ComparedRow, label: string): string {
  return label === "Tool" ? call.toolName : oneLine(call.argumentsText);
}

/** Returns arguments without the line breaks of their indentation. */
export function oneLine(argumentsText: string): string {
  return argumentsText.replace(/\s*\n\s*/g, " ");
}

export function sidesOf(trees: ComparedTrees): readonly Side[] {
  return trees.b === null ? ["a"] : ["a", "b"];
}

/** Returns the header and the rows as texts; numbers are plain, for a spreadsheet. */
function readTable(
  rows: readonly ComparedRow[],
  trees: ComparedTrees,
): readonly (readonly string[])[] {
  const sides = sidesOf(trees);
  const head = COLUMNS.flatMap(({ label }) =>
    sides.map((side) => `${label === "Time" ? "ms" : label}, ${trees[side]?.name ?? side}`),
  );
  const body = rows.map(({ call, ...measures }) => [
    call.toolName,
    oneLine(call.argumentsText),
    ...COLUMNS.flatMap(({ read }) =>
      sides.map((side) => {
        const measure = measures[side];
        const value = measure === null ? null : read(measure);
        return value === null ? "" : String(Math.round(value * 10) / 10);
      }),
    ),
  ]);
  return [["Tool", "Arguments", ...head], ...body];
}

export function renderCsv(rows: readonly ComparedRow[], trees: ComparedTrees): string {
  return readTable(rows, trees)
    .map((cells) => `${cells.map(quoteCell).join(",")}\r\n`)
    .join("");
}

/** A spreadsheet would run a text that begins like a formula, so a quotation mark comes first. */
function quoteCell(text: string): string {
  const guarded = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

export function renderMarkdown(rows: readonly ComparedRow[], trees: ComparedTrees): string {
  const [head = [], ...body] = readTable(rows, trees);
  const line = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(" | ")} |\n`;
  const rule = head.map((_, index) => (index < 2 ? "---" : "---:"));
  return `${line(head)}| ${rule.join(" | ")} |\n${body.map(line).join("")}`;
}

function escapeCell(text: string): string {
  return text.replace(/[\\|`*_<>[\]]/g, "\\$&").replace(/[\r\n]+/g, " ");
}

const TEXTS = ["Tool", "Arguments"] as const;

export function CompareTable() {
  const [order, setOrder] = useState<Order | null>(null);
  const trees = comparedTrees.value;
  const sides = sidesOf(trees);
  const isPair = sides.length > 1;
  const head = (label: string, span: number) => {
    const current = order?.label === label ? order : null;
    const direction = current?.isDescending ? "descending" : "ascending";
    return (
      <th
        key={label}
        scope="col"
        colSpan={span}
        rowSpan={isPair && span === 1 ? 2 : 1}
        aria-sort={current === null ? undefined : direction}
      >
        <button
          type="button"
          onClick={() =>
            setOrder({ label, isDescending: current !== null && !current.isDescending })
          }
        >
          {label}
          {current !== null && <span aria-hidden="true">{current.isDescending ? " ↓" : " ↑"}</span>}
        </button>
      </th>
    );
  };
  return (
    <Scrolling label="Comparison">
      <table>
        <thead>
          <tr>
            {TEXTS.map((label) => head(label, 1))}
            {COLUMNS.map(({ label }) => head(label, sides.length))}
          </tr>
          {isPair && (
            <tr>
              {COLUMNS.map(({ label }) =>
                sides.map((side) => (
                  <th key={label + side} scope="col">
                    {side.toUpperCase()}
                  </th>
                )),
              )}
            </tr>
          )}
        </thead>
        <tbody>
          {sortRows(comparedRows.value, order).map(({ call, ...measures }) => (
            <tr key={call}>
              <th scope="row">{call.toolName}</th>
              <td class="compare-arguments">{oneLine(call.argumentsText)}</td>
              {COLUMNS.map((column) =>
                sides.map((side) => (
                  <td key={column.label + side} class="figure">
                    {drawCell(column, measures[side])}
                  </td>
                )),
              )}
            </tr>
          ))}
        </tbody>
        <caption class="dim">
          {sides
            .map((side) => `${side.toUpperCase()}: ${trees[side]?.name ?? "not run"}`)
            .join(", ")}
        </caption>
      </table>
    </Scrolling>
  );
}
