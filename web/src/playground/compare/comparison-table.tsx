/** The table of a comparison: its columns, their order, how it is drawn, and as CSV and Markdown. */

import { signal } from "@preact/signals";
import { formatCount, formatMs } from "../../ui/format-quantities.ts";
import { Button } from "../shell/button.tsx";
import { Scrolling } from "../shell/scrolling.tsx";
import { mainArgument } from "../timeline/call-words.ts";
import { FAMILIES } from "../tool-notes.ts";
import {
  type ComparedRow,
  type ComparedTrees,
  comparedRows,
  comparedTrees,
  type Side,
} from "./compared-calls.ts";
import { type Measure, totalOf } from "./measure.ts";

interface Column {
  readonly label: string;
  readonly read: (measure: Measure) => number | null;
  readonly format?: (value: number) => string;
}

/** The words of a row; the page has the arguments last: a narrow screen has no room for them. */
const TEXTS: Readonly<Record<string, (row: ComparedRow) => string>> = {
  Family: ({ family }) => family ?? "other",
  Tool: ({ call }) => call.toolName,
  Arguments: ({ call }) => oneLine(call.argumentsText),
};

const COLUMNS: readonly Column[] = [
  { label: "Tokens", read: ({ tokens }) => tokens },
  {
    label: "Tokens per entry",
    read: ({ entries, tokens, wholeTokens }) =>
      entries ? (wholeTokens ?? tokens) / entries : null,
    format: (value) => value.toFixed(1),
  },
  { label: "Tokens for the whole", read: ({ wholeTokens }) => wholeTokens },
  { label: "Tokens written", read: ({ writtenTokens }) => writtenTokens },
  { label: "Entries", read: ({ entries }) => entries },
  { label: "Calls", read: ({ calls }) => calls },
  { label: "Errors", read: ({ errors }) => errors },
  { label: "Time", read: ({ elapsedMs }) => elapsedMs, format: formatMs },
];

/** The order of the rows; `label` is that of a column. */
interface Order {
  readonly label: string;
  readonly isDescending: boolean;
}

/** The sums of some rows. */
interface Total extends Readonly<Record<Side, Measure | null>> {
  readonly name: string;
}

function drawCell({ read, format = formatCount }: Column, measure: Measure | null): string {
  const value = measure === null ? null : read(measure);
  return value === null ? "–" : format(value);
}

/** Returns the rows in an order; rows without the value come last. */
export function sortRows(
  rows: readonly ComparedRow[],
  order: Order | null,
): readonly ComparedRow[] {
  const column = COLUMNS.find(({ label }) => label === order?.label);
  const text = TEXTS[order?.label ?? ""];
  const sign = order?.isDescending ? -1 : 1;
  return [...rows].sort((one, other) => {
    if (text !== undefined) {
      return sign * text(one).localeCompare(text(other), "en");
    }
    const [left, right] = [one, other].map(({ a }) => (a && column ? column.read(a) : null));
    return left == null || right == null
      ? Number(left == null) - Number(right == null)
      : sign * (left - right);
  });
}

/** Returns the sums of each family and of all; none of like calls, whose sum tells nothing. */
export function totalsOf(rows: readonly ComparedRow[]): readonly Total[] {
  const total = (name: string, some: readonly ComparedRow[]) => ({
    name,
    a: totalOf(some.map(({ a }) => a)),
    b: totalOf(some.map(({ b }) => b)),
  });
  const families = FAMILIES.map(
    (name) => [name, rows.filter((row) => row.family === name)] as const,
  );
  const several = families.filter(([, some]) => some.length > 1);
  const isPair = rows.length > 1 && rows.some(({ b }) => b !== null);
  return [
    ...several
      .filter(([, some]) => some.length < rows.length)
      .map(([name, some]) => total(`All ${name}`, some)),
    ...(several.length > 0 || isPair ? [total("All", rows)] : []),
  ];
}

/** Returns arguments without the line breaks of their indentation. */
export function oneLine(argumentsText: string): string {
  return argumentsText.replace(/\s*\n\s*/g, " ");
}

function sidesOf(trees: ComparedTrees): readonly Side[] {
  return trees.b === null ? ["a"] : ["a", "b"];
}

/** Returns the header, the rows and the sums as texts; numbers are plain, for a spreadsheet. */
function readTable(
  rows: readonly ComparedRow[],
  trees: ComparedTrees,
): readonly (readonly string[])[] {
  const sides = sidesOf(trees);
  const head = COLUMNS.flatMap(({ label }) =>
    sides.map((side) => `${label === "Time" ? "ms" : label}, ${trees[side]?.name ?? side}`),
  );
  const figures = (measures: Readonly<Record<Side, Measure | null>>) =>
    COLUMNS.flatMap(({ read }) =>
      sides.map((side) => {
        const measure = measures[side];
        const value = measure === null ? null : read(measure);
        return value === null ? "" : String(Math.round(value * 10) / 10);
      }),
    );
  const texts = Object.values(TEXTS);
  return [
    [...Object.keys(TEXTS), ...head],
    ...rows.map((row) => [...texts.map((read) => read(row)), ...figures(row)]),
    ...totalsOf(rows).map((total) => [total.name, "", "", ...figures(total)]),
  ];
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
  const rule = head.map((_, index) => (index < 3 ? "---" : "---:"));
  return `${line(head)}| ${rule.join(" | ")} |\n${body.map(line).join("")}`;
}

function escapeCell(text: string): string {
  return text.replace(/[\\|`*_<>[\]]/g, "\\$&").replace(/[\r\n]+/g, " ");
}

/** The order that the visitor chose; null before, and it stays while the dialog is closed. */
const chosenOrder = signal<Order | null>(null);

/** The table; the sums of the calls stand below them. */
export function CompareTable() {
  const order = chosenOrder.value;
  const trees = comparedTrees.value;
  const sides = sidesOf(trees);
  const head = (label: string, span: number) => {
    const direction = order?.label === label && (order.isDescending ? "descending" : "ascending");
    return (
      <th
        key={label}
        scope="col"
        colSpan={span}
        rowSpan={sides.length > 1 && span === 1 ? 2 : 1}
        aria-sort={direction || undefined}
      >
        <Button
          onClick={() => {
            chosenOrder.value = { label, isDescending: direction === "ascending" };
          }}
          words={label}
        />
      </th>
    );
  };
  const figures = (measures: Readonly<Record<Side, Measure | null>>) =>
    COLUMNS.map((column) =>
      sides.map((side) => (
        <td key={column.label + side} class="figure">
          {drawCell(column, measures[side])}
        </td>
      )),
    );
  return (
    <Scrolling label="Comparison">
      <table>
        <thead>
          <tr>
            {head("Tool", 1)}
            {head("Family", 1)}
            {COLUMNS.map(({ label }) => head(label, sides.length))}
            {head("Arguments", 1)}
          </tr>
          {sides.length > 1 && (
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
          {sortRows(comparedRows.value, order).map((row) => (
            <tr key={row.call}>
              <th scope="row">{row.call.toolName}</th>
              <td>{TEXTS.Family?.(row)}</td>
              {figures(row)}
              <td class="compare-arguments">{mainArgument(row.call)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          {totalsOf(comparedRows.value).map((total) => (
            <tr key={total.name}>
              <th scope="row" colSpan={2}>
                {total.name}
              </th>
              {figures(total)}
              <td />
            </tr>
          ))}
        </tfoot>
        <caption class="dim">
          {sides
            .map((side) => `${side.toUpperCase()}: ${trees[side]?.name ?? "not run"}`)
            .join(", ")}
        </caption>
      </table>
    </Scrolling>
  );
}
