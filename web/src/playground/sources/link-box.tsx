/** One box for every tree on the web, which says which hosts it contacts before it does. */

import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { Button } from "../shell/button.tsx";
import { type ChosenTree, choiceOfLink, type LinkedTree } from "../state/linked-tree.ts";
import type { PageState } from "../state/page-state.ts";
import { readTypedPlace, readTypedSource, spellSource, wordLink } from "./typed-source.ts";

interface Opening extends Pick<ChosenTree, "first"> {
  /** Called once the tree is open. */
  readonly onOpened?: () => void;
}

interface FailedLink {
  readonly link: LinkedTree;
  readonly sentence: string;
  /** Holds for the next try too. */
  readonly opening: Opening;
}

/** The tree that could not be opened, and why; null without one. */
export const failedLink = signal<FailedLink | null>(null);

/** Opens a tree; if that fails, the dialog has its address and the reason, and can try again. */
export async function openLink(page: PageState, link: LinkedTree, opening: Opening): Promise<void> {
  failedLink.value = null;
  page.refusal.value = "";
  const isMounted = await page.open(choiceOfLink(link, opening.first));
  if (isMounted) {
    page.isChoosingTree.value = false;
    opening.onOpened?.();
  } else if (page.refusal.value !== "" && link.kind !== "inside") {
    failedLink.value = { link, sentence: page.refusal.value, opening };
    page.refusal.value = "";
    page.isChoosingTree.value = true;
  }
}

export function LinkBox({ page }: { readonly page: PageState }) {
  const [text, setText] = useState(() => spellSource(failedLink.value?.link));
  const [integrity, setIntegrity] = useState(failedLink.value?.link.integrity ?? "");
  const [problem, setProblem] = useState("");
  const [isOpening, setOpening] = useState(false);
  const read = readTypedSource(text, integrity.trim());
  const sentence = problem || failedLink.value?.sentence || "";
  const open = async (link: LinkedTree) => {
    setOpening(true);
    await openLink(page, link, failedLink.value?.opening ?? { first: readTypedPlace(text) });
    setOpening(false);
  };
  return (
    <form
      class="link-box stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (typeof read === "string") {
          setProblem(read);
        } else {
          void open(read);
        }
      }}
    >
      <label for="link-text">A GitHub address, npm:name, or a link to an archive</label>
      <div class="row">
        <input
          id="link-text"
          type="text"
          inputMode="url"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          placeholder="https://github.com/owner/repository"
          aria-describedby="link-words"
          aria-invalid={sentence !== ""}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setProblem("");
            failedLink.value = null;
          }}
        />
        <Button
          type="submit"
          class="primary"
          disabled={isOpening}
          words={failedLink.value === null ? "Open" : "Try again"}
        />
        {isOpening && <Button onClick={() => page.cancelMount()} words="Cancel" />}
      </div>
      <p id="link-words" class={sentence === "" ? "dim" : "failed"} role="status">
        {sentence || (isOpening ? page.status.value.words : wordLink(text, read))}
      </p>
      {isOpening && <p class="figure dim">{page.status.value.amount}</p>}
      <details>
        <summary>Advanced</summary>
        <label>
          Expected hash of an archive (as in HTML's integrity){" "}
          <input
            type="text"
            placeholder="sha256-…"
            spellcheck={false}
            value={integrity}
            onInput={(event) => setIntegrity(event.currentTarget.value)}
          />
        </label>
      </details>
    </form>
  );
}
