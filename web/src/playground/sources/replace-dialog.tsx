/** Asks before another tree takes the place of one that has proposed changes. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { sentenceOf } from "../../ui/error-sentence.ts";
import { formatCounted } from "../../ui/format-quantities.ts";
import { saveFile } from "../../ui/save-file.ts";
import { Button } from "../shell/button.tsx";
import { FileName } from "../shell/file-name.tsx";
import type { PageState } from "../state/page-state.ts";

export function ReplaceDialog({ page }: { readonly page: PageState }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const said = useSignal("");
  const asked = page.replacement.value;
  useEffect(() => {
    said.value = "";
    if (asked !== null && dialog.current?.open === false) {
      dialog.current.showModal();
    }
  }, [asked, said]);
  if (asked === null) {
    return null;
  }
  const decide = (isWanted: boolean) => {
    // First, so that the focus goes back to where it was.
    dialog.current?.close();
    asked.decide(isWanted);
  };
  const exportPatch = async () => {
    try {
      const patch = await (await page.client()).exportChanges({ format: "patch" });
      saveFile("changes.patch", new Blob([patch]));
      said.value = "Exported changes.patch.";
    } catch (error) {
      said.value = sentenceOf(error);
    }
  };
  return (
    <dialog
      class="sources"
      ref={dialog}
      aria-labelledby="replace-heading"
      onClose={() => asked.decide(false)}
    >
      <h2 id="replace-heading">
        Open <FileName name={asked.choice.name} />?
      </h2>
      <p>
        {formatCounted(page.changes.value.entries.length, "proposed change")} would be lost, with
        the calls and answers about <FileName name={page.tree.value?.choice.name ?? ""} />.
      </p>
      <div class="row">
        <Button class="primary" onClick={() => void exportPatch()} words="Export the patch" />
        <Button onClick={() => decide(true)} words="Open anyway" />
        <Button onClick={() => decide(false)} words="Cancel" />
        <span role="status">{said.value}</span>
      </div>
    </dialog>
  );
}
