/** Takes an archive, files or folders that are dropped anywhere on the page. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { sentenceOf } from "../../ui/error-sentence.ts";
import type { PageState } from "../state/page-state.ts";
import { treeOfDrop } from "./device-trees.ts";

export function DropVeil({ page }: { readonly page: PageState }) {
  const depth = useSignal(0);
  useEffect(() => {
    const stop = new AbortController();
    const listen = (
      type: "dragenter" | "dragleave" | "dragover" | "drop",
      react: (event: DragEvent) => void,
    ) => document.addEventListener(type, react, { signal: stop.signal });
    listen("dragenter", (event) => {
      depth.value += carriesFiles(event) ? 1 : 0;
    });
    listen("dragleave", () => {
      // Each element that the pointer crosses fires its own dragleave.
      depth.value = Math.max(0, depth.value - 1);
    });
    listen("dragover", (event) => {
      if (carriesFiles(event)) {
        event.preventDefault();
      }
    });
    listen("drop", (event) => {
      depth.value = 0;
      if (carriesFiles(event) && event.dataTransfer !== null) {
        event.preventDefault();
        treeOfDrop(event.dataTransfer).then(
          (tree) => page.open(tree),
          (error: unknown) => {
            page.refusal.value = sentenceOf(error);
          },
        );
      }
    });
    return () => stop.abort();
  }, [page]);
  return depth.value === 0 ? null : (
    <div class="drop-veil">
      <p>Drop an archive, files or folders to open them</p>
    </div>
  );
}

function carriesFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}
