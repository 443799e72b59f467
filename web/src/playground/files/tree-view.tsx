/** The tree: only the rows in sight are in the page, so that 100,000 entries stay fast. */

import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Change } from "../../index.ts";
import { FileName } from "../shell/file-name.tsx";
import type { LineRange } from "../state/marks.ts";
import type { PageState } from "../state/page-state.ts";
import type { ListedTree } from "./listed-tree.ts";
import type { TreeRow } from "./tree-index.ts";
import { moveByKey } from "./tree-keys.ts";

const ROW_PX = 26;
/** Rows beyond the sight on each side, so that a quick scroll shows no gap. */
const SPARE_ROWS = 10;
const INDENT_PX = 14;

const OPERATIONS: Readonly<Record<Change["operation"], readonly [sign: string, word: string]>> = {
  create: ["A", "new"],
  modify: ["M", "changed"],
  delete: ["D", "deleted"],
  rename: ["R", "renamed"],
};

export function TreeView({ page, tree }: { readonly page: PageState; readonly tree: ListedTree }) {
  const scroller = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(800);
  const active = useSignal("");
  const rows = tree.rows.value;
  const shown = page.openFile.value?.path ?? page.folder.value;
  const activeIndex = Math.max(
    0,
    rows.findIndex(({ path }) => path === active.value),
  );
  const first = useComputed(() => Math.max(0, Math.floor(top.value / ROW_PX) - SPARE_ROWS));
  const count = Math.ceil(height.value / ROW_PX) + 2 * SPARE_ROWS;
  const measure = (element: HTMLDivElement) => {
    top.value = element.scrollTop;
    height.value = element.clientHeight;
  };
  const bring = (index: number) => {
    const element = scroller.current;
    if (element !== null) {
      const start = index * ROW_PX;
      const isAbove = start < element.scrollTop;
      const isBelow = start + ROW_PX > element.scrollTop + element.clientHeight;
      if (isAbove || isBelow) {
        element.scrollTop = Math.max(0, start - element.clientHeight / 2);
      }
      measure(element);
    }
  };
  useEffect(() => {
    const element = scroller.current;
    if (element === null) {
      return undefined;
    }
    const observer = new ResizeObserver(() => {
      // A section that was hidden had no height, and has lost how far it was scrolled.
      const wasHidden = height.peek() === 0;
      measure(element);
      if (wasHidden) {
        bring(tree.rows.peek().findIndex(({ path }) => path === active.peek()));
      }
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [tree]);
  useSignalEffect(() => {
    const path = page.openFile.value?.path ?? page.folder.value;
    if (path !== null && tree.index.value.has(path)) {
      active.value = path;
      tree.reveal(path);
      queueMicrotask(() => bring(tree.rows.peek().findIndex((row) => row.path === path)));
    }
  });
  const choose = (row: TreeRow) => {
    active.value = row.path;
    if (row.kind === "directory") {
      tree.toggle(row.path);
    } else {
      page.showFile(row.path);
    }
  };
  return (
    <div
      class="tree-scroll"
      ref={scroller}
      style={{ "--rows": String(rows.length) }}
      onScroll={(event) => measure(event.currentTarget)}
    >
      <div
        id="tree"
        class="tree-rows"
        role="tree"
        aria-label="Tree"
        tabIndex={rows.length === 0 ? -1 : 0}
        aria-activedescendant={rows.length === 0 ? undefined : rowId(activeIndex)}
        onFocus={() => bring(activeIndex)}
        onKeyDown={(event) => {
          const move = moveByKey(event, rows, activeIndex);
          if (move !== null) {
            event.preventDefault();
            if ("toggle" in move) {
              tree.toggle(move.toggle.path, move.isOpen);
            } else if ("choose" in move) {
              choose(move.choose);
            } else {
              active.value = rows[move.index]?.path ?? "";
              bring(move.index);
            }
          }
        }}
      >
        {rows.slice(first.value, first.value + count).map((row, offset) => (
          <Row
            key={row.path}
            row={row}
            index={first.value + offset}
            isActive={first.value + offset === activeIndex}
            isShown={shown === row.path}
            read={page.marks.byPath.value.get(row.path)}
            change={tree.changes.value.get(row.path)}
            onChoose={() => choose(row)}
          />
        ))}
      </div>
    </div>
  );
}

interface RowProps {
  readonly row: TreeRow;
  readonly index: number;
  readonly isActive: boolean;
  readonly isShown: boolean;
  /** The lines that were read; undefined if no call has shown the path. */
  readonly read: readonly LineRange[] | undefined;
  readonly change: Change | undefined;
  readonly onChoose: () => void;
}

function Row({ row, index, isActive, isShown, read, change, onChoose }: RowProps) {
  const isDirectory = row.kind === "directory";
  const [sign, word] = change === undefined ? [] : OPERATIONS[change.operation];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree, which has the focus, hears the keys
    <div
      id={rowId(index)}
      role="treeitem"
      class="tree-row line"
      data-operation={change?.operation}
      data-active={isActive || undefined}
      aria-level={row.level}
      aria-posinset={row.place}
      aria-setsize={row.siblingCount}
      aria-selected={isShown}
      aria-expanded={isDirectory ? row.isOpen : undefined}
      tabIndex={-1}
      onClick={onChoose}
      style={{ top: `${index * ROW_PX}px`, paddingInlineStart: `${row.level * INDENT_PX}px` }}
    >
      <span class="tree-sign" aria-hidden="true">
        {isDirectory ? (row.isOpen ? "▾" : "▸") : row.kind === "symlink" ? "↗" : ""}
      </span>
      <span class="tree-name">
        <FileName name={row.name} />
      </span>
      {word !== undefined && (
        <span class="tree-operation" title={word}>
          {sign}
          <span class="visually-hidden"> {word}</span>
        </span>
      )}
      {read !== undefined && <Seen read={read} />}
    </div>
  );
}

function Seen({ read }: { readonly read: readonly LineRange[] }) {
  const lines = read.map(({ first, last }) => `${first}–${last}`).join(", ");
  const words = read.length === 0 ? "listed" : `read, lines ${lines}`;
  return (
    <span class="tree-seen" title={words}>
      {read.length === 0 ? "○" : "●"}
      <span class="visually-hidden"> {words}</span>
    </span>
  );
}

function rowId(index: number): string {
  return `tree-row-${index}`;
}
