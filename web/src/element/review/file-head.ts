/** Draws what stands in the head of a change, from its entry alone. */
import { formatCount } from "../../page-parts/format-quantities.ts";
import { showName } from "../../page-parts/hostile-characters.ts";
import { makeElement } from "../../page-parts/make-element.ts";
import { wordBase, wordFlags, wordOperation, wordSizes } from "./change-words.ts";
import type { Change } from "./reviewed-client.ts";

/** Returns the operation and the path, or both paths of a rename. */
export function drawTitle(change: Change): HTMLElement[] {
  const operation = makeElement(
    "span",
    { class: `operation ${change.operation}` },
    wordOperation(change),
  );
  const name = makeElement("span", { class: "name", dir: "ltr" });
  if (change.from !== null) {
    const from = makeElement("span", { class: "from" });
    from.append(showName(change.from));
    name.append(from, " \u2192 ");
  }
  const slash = change.path.lastIndexOf("/") + 1;
  const base = makeElement("span", { class: "base" });
  base.append(showName(change.path.slice(slash)));
  name.append(showName(change.path.slice(0, slash)), base);
  return [operation, name];
}

/** Returns the counts of lines and the sizes. */
export function drawFigures(change: Change): HTMLElement[] {
  const sizes = makeElement("span", { class: "sizes" }, wordSizes(change));
  return [...drawCounts(change), sizes];
}

/** Returns how many lines come and go; nothing if no line does. */
export function drawCounts({ added, removed }: Pick<Change, "added" | "removed">): HTMLElement[] {
  return added + removed === 0
    ? []
    : [
        makeElement("span", { class: "count added" }, `+${formatCount(added)}`),
        makeElement("span", { class: "count removed" }, `\u2212${formatCount(removed)}`),
      ];
}

/** Returns the flags, and the state of the mount, as items of a list. */
export function drawMarks(change: Change): HTMLElement[] {
  const base = wordBase(change);
  return [
    ...(base === "" ? [] : [makeElement("li", { class: "warning" }, base)]),
    ...wordFlags(change).map((words) => makeElement("li", {}, words)),
  ];
}
