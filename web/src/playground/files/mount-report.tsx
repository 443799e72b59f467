/** The report of a mount: its figures, and the entries that were skipped or changed. */

import type { MountReport } from "../../index.ts";
import { formatBytes, formatCount, formatCounted, formatMs } from "../../ui/format-quantities.ts";
import { FileName } from "../shell/file-name.tsx";
import type { MountedTree } from "../state/page-state.ts";

/** The list shows no more lines than this; the count above it is exact. */
const MAX_LINES = 200;

export function MountReportView({ mounted }: { readonly mounted: MountedTree }) {
  const { report, choice } = mounted;
  const exceptions = exceptionsOf(report);
  return (
    <footer class="mount-report">
      <p>
        <FileName name={choice.name} />
      </p>
      {report.origin !== null && (
        <p class="dim">
          from <FileName name={report.origin} />
        </p>
      )}
      <p class="dim">{countsOf(report).join(" · ")}</p>
      {exceptions.length > 0 && (
        <details>
          <summary>{formatCounted(exceptions.length, "entry", "entries")} not as they were</summary>
          <ul>
            {exceptions.slice(0, MAX_LINES).map(({ what, path, reason }) => (
              <li key={`${what} ${path}`}>
                <FileName name={path} />{" "}
                <span class="dim">
                  {what}: {reason}
                </span>
              </li>
            ))}
            {exceptions.length > MAX_LINES && (
              <li class="dim">and {formatCount(exceptions.length - MAX_LINES)} more</li>
            )}
          </ul>
        </details>
      )}
    </footer>
  );
}

function countsOf({ files, directories, bytes, elapsedMs }: MountReport): readonly string[] {
  const counts =
    files === null || directories === null
      ? ["read on demand"]
      : [
          formatCounted(files, "file"),
          formatCounted(directories, "directory", "directories"),
          bytes === null ? "read on demand" : formatBytes(bytes),
        ];
  return [...counts, `mounted in ${formatMs(elapsedMs)}`];
}

/** Leaves out the renaming of the tree's one folder to the mount, which happens to each folder. */
function exceptionsOf(report: MountReport) {
  return [
    ...report.skipped.map(({ path, reason }) => ({ what: "skipped", path, reason })),
    ...report.renamed
      .filter(({ to }) => to !== "")
      .map(({ from, to, reason }) => ({ what: "renamed", path: `${from} → ${to}`, reason })),
    ...report.converted.map(({ path, reason }) => ({ what: "converted", path, reason })),
  ];
}
