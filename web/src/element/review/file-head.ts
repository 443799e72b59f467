/** Draws what stands in the head of a change, from its entry alone. */
import { formatCount } from "../../ui/format-quantities.ts";
import { showName } from "../../ui/hostile-characters.ts";
import { makeElement } from "../../ui/make-element.ts";
import { wordMarks, wordOperation, wordSizes } from "./change-words.ts";
import type { Change } from "./reviewed-client.ts";

export function drawTitle(change: Change): HTMLElement[] {
  const { path, from, operation } = change;
  const name = makeElement("span", { class: "name", dir: "ltr" });
  if (from !== null) {
    name.append(showName(from), " \u2192 ");
  }
  const slash = path.lastIndexOf("/") + 1;
  const last = makeElement("b");
  last.append(showName(path.slice(slash)));
  name.append(showName(path.slice(0, slash)), last);
  return [
    makeElement("span", { class: "twist" }),
    makeElement("span", { class: `operation ${operation}` }, wordOperation(change)),
    name,
  ];
}

export function drawFigures(change: Change): HTMLElement[] {
  return [...drawCounts(change), makeElement("span", { class: "sizes" }, wordSizes(change))];
}

export function drawCounts({ added, removed }: Pick<Change, "added" | "removed">): HTMLElement[] {
  return [
    ...(added === 0 ? [] : [makeElement("ins", {}, `+${formatCount(added)}`)]),
    ...(removed === 0 ? [] : [makeElement("del", {}, `\u2212${formatCount(removed)}`)]),
  ];
}

export function drawMarks(change: Change): HTMLElement[] {
  const hasMoved = change.baseState !== "unchanged";
  return wordMarks(change).map((words, index) =>
    makeElement("li", { class: hasMoved && index === 0 ? "moved" : "" }, words),
  );
}
