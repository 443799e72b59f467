/** Asks before another tree takes the place of one that has proposed changes. */

import { useState } from "preact/hooks";
import { sentenceOf } from "../../ui/error-sentence.ts";
import { formatCounted } from "../../ui/format-quantities.ts";
import { saveFile } from "../../ui/save-file.ts";
import { Button } from "../shell/button.tsx";
import { Dialog } from "../shell/dialog.tsx";
import { FileName } from "../shell/file-name.tsx";
import type { PageState, Replacement } from "../state/page-state.ts";

export function ReplaceDialog({ page }: { readonly page: PageState }) {
  const asked = page.replacement.value;
  return (
    <Dialog
      class="sources"
      title={
        <>
          Open <FileName name={asked?.choice.name ?? ""} />?
        </>
      }
      isOpen={asked !== null}
      onClose={() => asked?.decide(false)}
    >
      <Question page={page} decide={(isWanted) => asked?.decide(isWanted)} />
    </Dialog>
  );
}

interface QuestionProps extends Pick<Replacement, "decide"> {
  readonly page: PageState;
}

function Question({ page, decide }: QuestionProps) {
  const [said, setSaid] = useState("");
  const exportPatch = async () => {
    try {
      const patch = await (await page.client()).exportChanges({ format: "patch" });
      saveFile("changes.patch", new Blob([patch]));
      setSaid("Exported changes.patch.");
    } catch (error) {
      setSaid(sentenceOf(error));
    }
  };
  return (
    <>
      <p>
        {formatCounted(page.changes.value.entries.length, "proposed change")} would be lost, with
        the calls and answers about <FileName name={page.tree.value?.choice.name ?? ""} />.
      </p>
      <div class="row">
        <Button class="primary" onClick={() => void exportPatch()} words="Export the patch" />
        <Button onClick={() => decide(true)} words="Open anyway" />
        <Button onClick={() => decide(false)} words="Cancel" />
        <span role="status">{said}</span>
      </div>
    </>
  );
}
