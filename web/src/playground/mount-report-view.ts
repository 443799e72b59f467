/** The report of a mount: figures, and the entries that were skipped or changed. */

import type { MountReport } from "../index.ts";
import {
  formatBytes,
  formatCount,
  formatCounted,
  formatMs,
} from "../page-parts/format-quantities.ts";
import { showName } from "../page-parts/hostile-characters.ts";
import { makeElement } from "../page-parts/make-element.ts";

/** The list shows no more lines than this; the count above it is exact. */
const MAX_LINES = 200;

/** Returns the report of a mount, headed by the name of the tree. */
export function renderMountReport(treeName: string, report: MountReport): HTMLElement {
  const title = makeElement("p", { class: "report-name" });
  title.append(showName(treeName));
  const counts = [...listCounts(report), `mounted in ${formatMs(report.elapsedMs)}`];
  const element = makeElement(
    "div",
    {},
    title,
    ...renderOrigin(report),
    makeElement("p", { class: "help" }, counts.join(" · ")),
  );
  const lines = listExceptions(report);
  if (lines.length > 0) {
    element.append(renderExceptions(report, lines));
  }
  return element;
}

/** Names a fetched tree exactly, by its address or its version. */
function renderOrigin({ origin }: MountReport): readonly HTMLElement[] {
  if (origin === null) {
    return [];
  }
  const line = makeElement("p", { class: "report-origin" });
  line.append("from ", showName(origin));
  return [line];
}

function listCounts({ files, directories, symlinks, bytes }: MountReport): readonly string[] {
  if (files === null || directories === null || symlinks === null) {
    return ["read on demand"];
  }
  return [
    formatCounted(files, "file"),
    formatCounted(directories, "directory", "directories"),
    ...(symlinks > 0 ? [formatCounted(symlinks, "link")] : []),
    bytes === null ? "read on demand" : formatBytes(bytes),
  ];
}

interface ExceptionLine {
  readonly what: string;
  readonly path: string;
  readonly reason: string;
}

function listExceptions(report: MountReport): readonly ExceptionLine[] {
  return [
    ...report.skipped.map(({ path, reason }) => ({ what: "skipped", path, reason })),
    ...report.renamed.map(({ from, to, reason }) => ({
      what: "renamed",
      path: `${from} → ${to || report.path}`,
      reason,
    })),
    ...report.converted.map(({ path, reason }) => ({ what: "converted", path, reason })),
  ];
}

function renderExceptions(report: MountReport, lines: readonly ExceptionLine[]): HTMLElement {
  const counts = [
    [report.skipped.length, "skipped"],
    [report.renamed.length, "renamed"],
    [report.converted.length, "converted"],
  ] as const;
  const summary = counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${formatCount(count)} ${what}`)
    .join(", ");
  const items = lines.slice(0, MAX_LINES).map(({ what, path, reason }) => {
    const name = makeElement("span", { class: "report-path" });
    name.append(showName(path));
    const cause = makeElement("span", { class: "help" });
    cause.append(showName(`${what}: ${reason}`));
    return makeElement("li", {}, name, cause);
  });
  if (lines.length > MAX_LINES) {
    const rest = `and ${formatCount(lines.length - MAX_LINES)} more`;
    items.push(makeElement("li", { class: "help" }, rest));
  }
  return makeElement(
    "details",
    {},
    makeElement("summary", {}, summary),
    makeElement("ul", { class: "report-list" }, ...items),
  );
}
