/** The files: a filter, the tree, and what the mount reports. */

import { useMemo } from "preact/hooks";
import { formatCount } from "../../ui/format-quantities.ts";
import type { PageState } from "../state/page-state.ts";
import { ListedTree } from "./listed-tree.ts";
import { MountReportView } from "./mount-report.tsx";
import { QuickOpen } from "./quick-open.tsx";
import { MAX_FILTERED } from "./tree-index.ts";
import { TreeView } from "./tree-view.tsx";

export function FilesPane({ page }: { readonly page: PageState }) {
  const tree = useMemo(() => new ListedTree(page), [page]);
  const mounted = page.tree.value;
  return (
    <>
      <div class="files-head">
        <input
          type="search"
          aria-label="Filter files"
          placeholder="Filter files"
          value={tree.filter.value}
          onInput={(event) => {
            tree.filter.value = event.currentTarget.value;
          }}
        />
        <QuickOpen page={page} tree={tree} />
      </div>
      <TreeView page={page} tree={tree} />
      {tree.filter.value !== "" && tree.rows.value.length === 0 && (
        <p class="files-remark">No file has “{tree.filter.value}” in its path.</p>
      )}
      {tree.filtered.value.isCut && (
        <p class="files-remark">
          Only the first {formatCount(MAX_FILTERED)} files are shown: type more of the path.
        </p>
      )}
      {tree.remark.value !== "" && <p class="files-remark">{tree.remark.value}</p>}
      {mounted !== null && <MountReportView mounted={mounted} />}
    </>
  );
}
