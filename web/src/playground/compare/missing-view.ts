/** Shows the entries that a tool has not shown, by reason, with the first names for each. */

import { formatCount, formatCounted } from "../../page-parts/format-quantities.ts";
import { showName } from "../../page-parts/hostile-characters.ts";
import { makeElement } from "../../page-parts/make-element.ts";
import { MISSING_REASONS, type MissingEntries, type MissingReason } from "./missing-entries.ts";

/** The most names per reason; a directory may have ten thousand entries, most of them missing. */
const MAX_NAMES = 40;

const WORDS: Readonly<Record<MissingReason, readonly [one: string, many: string]>> = {
  hidden: ["hidden entry", "hidden entries"],
  link: ["symbolic link", "symbolic links"],
  name: ["other entry", "other entries"],
  inside: ["entry inside of these", "entries inside of these"],
  deeper: ["deeper entry", "deeper entries"],
};

/**
 * Returns an element that replaces the last such view.
 *
 * @param isWhole whether the tool has no further page, so that missing entries stay missing.
 */
export function renderMissing(missing: MissingEntries, isWhole: boolean): HTMLElement {
  const heading = isWhole ? "Not shown" : "Not shown so far";
  if (missing.size === 0) {
    return makeElement("p", { class: "help" }, `${heading}: nothing that another tool shows`);
  }
  const groups = MISSING_REASONS.flatMap((reason) => {
    const paths = missing.get(reason);
    return paths === undefined ? [] : [makeGroup(reason, paths)];
  });
  return makeElement(
    "div",
    { class: "missing" },
    makeElement("h4", {}, heading),
    makeElement("ul", {}, ...groups),
  );
}

function makeGroup(reason: MissingReason, paths: readonly string[]): HTMLElement {
  const words = formatCounted(paths.length, ...WORDS[reason]);
  const names = paths.slice(0, MAX_NAMES).map((path) => {
    const name = makeElement("li", { dir: "ltr" });
    name.append(showName(path));
    return name;
  });
  if (paths.length > MAX_NAMES) {
    const more = `and ${formatCount(paths.length - MAX_NAMES)} more`;
    names.push(makeElement("li", { class: "help" }, more));
  }
  const list = makeElement("ul", { class: "missing-names" }, ...names);
  const summary = makeElement("summary", {}, words);
  return makeElement("li", {}, makeElement("details", {}, summary, list));
}
