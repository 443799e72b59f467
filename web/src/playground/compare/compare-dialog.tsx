/** The comparison of calls: a table, further runs, saved sets, and what a visitor takes along. */

import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { escapePath } from "../../lib/spelling.ts";
import { sentenceOf } from "../../ui/error-sentence.ts";
import { formatCounted } from "../../ui/format-quantities.ts";
import { saveFile } from "../../ui/save-file.ts";
import { Button } from "../shell/button.tsx";
import { CopyButton } from "../shell/copy-button.tsx";
import type { PageState } from "../state/page-state.ts";
import { comparedRows, comparedTrees, compareItems, runRows, sideOf } from "./compared-calls.ts";
import { CompareTable, renderCsv, renderMarkdown } from "./comparison-table.tsx";
import { SavedSets, savedSets } from "./saved-sets.tsx";

interface CompareProps {
  readonly page: PageState;
  readonly dialog: RefObject<HTMLDialogElement | null>;
}

/** Opens the comparison; shown if there is a chosen call, a row from an earlier tree, or a kept set. */
export function CompareButton({ page, dialog }: CompareProps) {
  const chosen = page.timeline.chosenCalls.value;
  const count = chosen.length > 0 ? chosen.length : comparedRows.value.length;
  const open = () => {
    compareItems(chosen);
    dialog.current?.showModal();
  };
  return count === 0 && savedSets.value.size === 0 ? null : (
    <Button
      onClick={open}
      words={count > 0 ? `Compare ${formatCounted(count, "call")}` : "Compare saved calls"}
    />
  );
}

export function CompareDialog({ page, dialog }: CompareProps) {
  return (
    <dialog class="compare" ref={dialog} aria-label="Compare calls">
      <div class="row dialog-head">
        <h2>Compare calls</h2>
        <Button onClick={() => dialog.current?.close()} words="Close" />
      </div>
      <Runs page={page} />
      <CompareTable />
      <Exports />
      <SavedSets />
    </dialog>
  );
}

/** Runs the calls again, on the tree that is mounted now. */
function Runs({ page }: { readonly page: PageState }) {
  const running = useSignal<AbortController | null>(null);
  const failure = useSignal("");
  const tree = page.tree.value;
  if (tree === null || comparedRows.value.length === 0) {
    return null;
  }
  const now = { number: tree.number, name: escapePath(tree.choice.name) };
  const run = async (isWhole: boolean) => {
    const controller = new AbortController();
    running.value = controller;
    failure.value = "";
    try {
      await runRows(await page.client(), now, { isWhole, signal: controller.signal });
    } catch (error) {
      failure.value = controller.signal.aborted ? "Stopped." : sentenceOf(error);
    }
    running.value = null;
  };
  return (
    <p class="row">
      {running.value === null ? (
        <>
          <button type="button" onClick={() => void run(false)}>
            Run all on {now.name}
            {sideOf(now) === "b" && " as B"}
          </button>
          <Button onClick={() => void run(true)} words="Fetch all further pages" />
        </>
      ) : (
        <Button onClick={() => running.value?.abort()} words="Stop" />
      )}
      <span role="status">{running.value === null ? failure.value : "running"}</span>
      {sideOf(now) === "a" && (
        <span class="dim">To run them on another tree too, open it, and come back here.</span>
      )}
    </p>
  );
}

function Exports() {
  const markdown = () => renderMarkdown(comparedRows.value, comparedTrees.value);
  const csv = () => renderCsv(comparedRows.value, comparedTrees.value);
  return (
    <p class="row">
      <CopyButton label="Copy as Markdown" text={markdown} />
      <Button
        class="quiet"
        onClick={() => saveFile("comparison.md", new Blob([markdown()], { type: "text/markdown" }))}
        words="Download Markdown"
      />
      <Button
        class="quiet"
        onClick={() => saveFile("comparison.csv", new Blob([csv()], { type: "text/csv" }))}
        words="Download CSV"
      />
    </p>
  );
}
