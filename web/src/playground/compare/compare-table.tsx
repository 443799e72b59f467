/** The table of a comparison: a row for each call, and two columns of each figure for two trees. */

import { useState } from "preact/hooks";
import { Scrolling } from "../timeline/scrolling.tsx";
import { comparedRows, comparedTrees } from "./compared-calls.ts";
import { COLUMNS, drawCell, type Order, oneLine, sidesOf, sortRows } from "./comparison-table.ts";

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
