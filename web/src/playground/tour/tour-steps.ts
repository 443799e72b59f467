/** The steps of the tour: real calls, chosen by simple rules, with a sentence before each. */

import { pathBelowMount } from "../state/marks.ts";
import type { PageState } from "../state/page-state.ts";
import type { CallItem } from "../state/timeline.ts";
import { virtualPath } from "../tool-notes.ts";

export interface TourMemory {
  /** The path below the mount of the file to look into; "" before the search. */
  path: string;
}

interface TourStep {
  /** Said on the timeline before the calls of the step. */
  readonly words: string;
  readonly run: (page: PageState, memory: TourMemory) => Promise<void>;
}

/** The parts of the file before and after, as `apply_patch` takes them. */
const SAMPLE_PATCH = `*** Begin Patch
*** Update File: src/larder/expiry.py
@@ def is_expired(item: Item, today: date) -> bool:
-    # TODO: an item is still good on its last day, so this has to be \`<\`.
-    return item.until is not None and item.until <= today
+    return item.until is not None and item.until < today
*** Update File: tests/test_expiry.py
@@
+def test_an_item_is_good_on_its_last_day():
+    assert not is_expired(item("milk", TODAY), TODAY)
+
+
 def test_soon_has_the_next_date_first():
*** End Patch
`;

const NOTES_PATCH = `*** Begin Patch
*** Add File: NOTES.md
+# Notes of the tour
+
+An agent proposed this file. The opened tree does not have it.
*** End Patch
`;

/** The place of the fault that the tour mends in the sample project. */
const SAMPLE_FILE = "src/larder/expiry.py";

export const TOUR_STEPS: readonly TourStep[] = [
  {
    words: "An agent begins with a look around. This tool lists two levels of the tree.",
    run: async (page) => {
      await call(page, "list_dir", { dir_path: virtualPath(""), depth: 2 });
    },
  },
  {
    words: "Then it searches. “TODO” often marks work that was left for later.",
    run: async (page, memory) => {
      let found = await search(page, "TODO");
      if (found.length === 0) {
        page.timeline.addText("note", "tour", "Nothing is marked so here, so it tries again.");
        found = await search(page, "^(def|class|function|export|import|#) ?");
      }
      memory.path = found.find((path) => path === SAMPLE_FILE) ?? found[0] ?? "";
    },
  },
  {
    words:
      "It reads one of the files that matched. In the list of files, a dot marks that file. If you open it, a dot marks each line that the agent has read, until the file changes.",
    run: async (page, memory) => {
      if (memory.path === "") {
        page.timeline.addText("note", "tour", "No file matched, so there is nothing to read.");
        return;
      }
      const item = await call(page, "read_file", {
        file_path: virtualPath(memory.path),
        limit: 40,
      });
      const line = lineOf(item, "TODO");
      // Where the calls have the whole screen, they stay: the file waits behind its tab.
      page.openFile.value = { path: memory.path, lines: { first: line, last: line } };
      if (page.section.value === "files") {
        page.section.value = "file";
      }
    },
  },
  {
    words: "Agents make mistakes. The tool answers in words that the model can act on.",
    run: async (page) => {
      await call(page, "read_file", { file_path: virtualPath("READ-ME.txt") });
    },
  },
  {
    words:
      "Now it proposes a change. The tool answers as if the files were written, since an agent goes on from there. The opened tree stays as it is: the change waits for you.",
    run: async (page, memory) => {
      await page.offerEditing("codex");
      const input = memory.path === SAMPLE_FILE ? SAMPLE_PATCH : NOTES_PATCH;
      await call(page, "apply_patch", { input });
      await page.refreshChanges();
    },
  },
  {
    words:
      "You decide: take what you agree with, and leave what you do not. If you change your mind, press Taken or Undo. At the end, export a patch for git apply.",
    run: async (page) => {
      page.timeline.addReview("tour");
    },
  },
];

async function call(
  page: PageState,
  toolName: string,
  args: Readonly<Record<string, unknown>>,
): Promise<CallItem> {
  const argumentsText = JSON.stringify(args);
  return page.call({ toolName, argumentsText, maxOutputBytes: null }, "tour", { group: "tour" });
}

/** Returns the paths below the mount of the files with a match. */
async function search(page: PageState, pattern: string): Promise<readonly string[]> {
  const { standing } = await call(page, "grep_files", { pattern, limit: 20 });
  if (standing.value.kind !== "answered" || standing.value.result.isError) {
    return [];
  }
  const lines = standing.value.result.content.split("\n");
  return lines.flatMap((line) => {
    const path = line.startsWith("/") ? pathBelowMount(line) : null;
    return path === null ? [] : [path];
  });
}

function lineOf({ standing }: CallItem, word: string): number {
  const text = standing.value.kind === "answered" ? standing.value.result.content : "";
  const found = text.split("\n").find((line) => line.includes(word));
  return Number(/^L(\d+): /.exec(found ?? "")?.[1] ?? 1);
}
