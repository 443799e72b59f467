/** The comparison of calls: a table, the answers, further runs, and what a visitor takes along. */

import { escapePath } from "../../lib/spelling.ts";
import { formatCounted } from "../../ui/format-quantities.ts";
import { parseJsonObject } from "../../ui/json.ts";
import { saveFile } from "../../ui/save-file.ts";
import { Button } from "../shell/button.tsx";
import { CopyButton } from "../shell/copy-button.tsx";
import { Dialog } from "../shell/dialog.tsx";
import { wordTurn } from "../state/mounted-client.ts";
import type { PageState } from "../state/page-state.ts";
import type { CallItem } from "../state/timeline.ts";
import { ExactText } from "../timeline/answer/answer-views.tsx";
import { NOT_AN_OBJECT } from "../timeline/call-words.ts";
import {
  askFamilies,
  comparedRows,
  comparedTrees,
  compareItems,
  failure,
  isComparing,
  runAll,
  running,
  sideOf,
} from "./compared-calls.ts";
import { CompareTable, oneLine, renderCsv, renderMarkdown } from "./comparison-table.tsx";
import { hasLikeCalls } from "./like-calls.ts";
import { SavedSets, savedSets } from "./saved-sets.tsx";

interface CompareProps {
  readonly page: PageState;
}

/** Opens the comparison; shown if there is a chosen call, a row from an earlier tree, or a kept set. */
export function CompareButton({ page }: CompareProps) {
  const chosen = page.timeline.chosenCalls.value;
  const count = chosen.length > 0 ? chosen.length : comparedRows.value.length;
  const open = () => {
    compareItems(chosen);
    isComparing.value = true;
  };
  return count === 0 && savedSets.value.size === 0 ? null : (
    <Button
      onClick={open}
      words={count > 0 ? `Compare ${formatCounted(count, "call")}` : "Compare saved calls"}
    />
  );
}

/** Asks every family what a call asks; nothing for a call that not every family can make. */
export function AskFamilies({ page, item }: CompareProps & { readonly item: CallItem }) {
  const inUse = page.turnFamily.value;
  return hasLikeCalls(item) ? (
    <Button
      class="quiet"
      title={
        inUse === undefined
          ? "Makes the like call with the tools of each family, and shows the answers side by side"
          : wordTurn(inUse)
      }
      disabled={inUse !== undefined}
      onClick={() => void askFamilies(page, item)}
      words="Compare with other tool families"
    />
  ) : null;
}

export function CompareDialog({ page }: CompareProps) {
  const onClose = () => {
    // What runs may hold the proposals of the page, which the visitor can change now.
    running.value?.abort();
    isComparing.value = false;
  };
  return (
    <Dialog class="compare" title="Compare calls" isOpen={isComparing.value} onClose={onClose}>
      <Runs page={page} />
      <CompareTable />
      <Exports />
      <Answers />
      <SavedSets />
    </Dialog>
  );
}

/** Runs the calls again, on the tree that is mounted now. */
function Runs({ page }: CompareProps) {
  const tree = page.tree.value;
  const said = running.value === null ? failure.value : "running";
  if (tree === null || (comparedRows.value.length === 0 && said === "")) {
    return null;
  }
  const now = { number: tree.number, name: escapePath(tree.choice.name) };
  const side = sideOf(now);
  return (
    <p class="row">
      {running.value === null ? (
        <>
          <Button
            onClick={() => void runAll(page, { isWhole: false })}
            words={`Run all on ${now.name}${side === "b" ? " as B" : ""}`}
          />
          <Button
            onClick={() => void runAll(page, { isWhole: true })}
            words="Fetch all further pages"
          />
        </>
      ) : (
        <Button onClick={() => running.value?.abort()} words="Stop" />
      )}
      <span role="status">{said}</span>
      {side === "a" && (
        <span class="dim">To run them on another tree too, open it, and come back here.</span>
      )}
    </p>
  );
}

/** The answers as a model reads them, beside each other. */
function Answers() {
  return (
    <ul class="compare-answers" aria-label="Answers">
      {comparedRows.value.flatMap(({ family, call: { toolName, argumentsText }, a, b }) =>
        [a, b].map(
          (ran, index) =>
            ran !== null && (
              <li
                key={`${family} ${toolName} ${argumentsText} ${index}`}
                data-kind={ran.errors > 0 ? "failed" : undefined}
              >
                <h3>
                  {toolName}{" "}
                  <span class="dim">
                    {[family ?? "other", ...(b === null ? [] : ["AB"[index]])].join(", ")}
                  </span>
                </h3>
                <p class="compare-arguments figure dim">{oneLine(argumentsText)}</p>
                {parseJsonObject(argumentsText) === null && <p class="warned">{NOT_AN_OBJECT}</p>}
                <ExactText toolName={toolName} text={ran.contents.join("\n")} />
              </li>
            ),
        ),
      )}
    </ul>
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
