/** The files: a filter, the tree, and what the mount reports. */

import { useMemo } from "preact/hooks";
import type { MountReport } from "../../index.ts";
import { formatBytes, formatCount, formatCounted, formatMs } from "../../ui/format-quantities.ts";
import { Button } from "../shell/button.tsx";
import { FileName } from "../shell/file-name.tsx";
import { SearchContents, searchContents } from "../shell/search-contents.tsx";
import type { MountedTree, PageState } from "../state/page-state.ts";
import { ListedTree } from "./listed-tree.ts";
import { QuickOpen } from "./quick-open.tsx";
import { MAX_FILTERED } from "./tree-index.ts";
import { TreeView } from "./tree-view.tsx";

export function FilesPane({ page }: { readonly page: PageState }) {
  const tree = useMemo(() => new ListedTree(page), [page]);
  const mounted = page.tree.value;
  const { length: proposed } = page.changes.value.entries;
  return (
    <>
      <div class="files-head">
        <input
          id="file-filter"
          type="search"
          aria-label="Filter files"
          placeholder="Filter files"
          value={tree.filter.value}
          onInput={(event) => {
            tree.filter.value = event.currentTarget.value;
          }}
          onKeyDown={(event) => {
            const isEnter = event.key === "Enter" && !event.isComposing && !event.repeat;
            if (isEnter && tree.filter.value !== "") {
              searchContents(page, tree.filter.value);
            }
          }}
        />
        <QuickOpen page={page} tree={tree} />
      </div>
      {/* Above the tree: a phone's keyboard covers what is below it. */}
      {tree.filter.value !== "" && tree.rows.value.length === 0 && (
        <p class="files-remark">No file has “{tree.filter.value}” in its path.</p>
      )}
      <SearchContents page={page} text={tree.filter.value} />
      {page.folder.value !== null && page.openFile.value === null && (
        <p class="files-remark" role="status">
          The folder of the address: <FileName name={page.folder.value} />
        </p>
      )}
      <TreeView page={page} tree={tree} />
      {tree.filtered.value.isCut && (
        <p class="files-remark">
          Only the first {formatCount(MAX_FILTERED)} files are shown: type more of the path.
        </p>
      )}
      {tree.remark.value !== "" && <p class="files-remark">{tree.remark.value}</p>}
      {proposed > 0 && (
        <p class="files-remark">
          <Button
            onClick={() => page.goToReview()}
            words={formatCounted(proposed, "proposed change")}
          />
        </p>
      )}
      {mounted !== null && <MountReportView mounted={mounted} />}
    </>
  );
}

/** The list shows no more lines than this; the count above it is exact. */
const MAX_LINES = 200;

function MountReportView({ mounted }: { readonly mounted: MountedTree }) {
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
