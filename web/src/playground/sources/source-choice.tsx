/** The button with the tree's name, and the dialog in which a visitor opens another tree. */

import { useRef, useState } from "preact/hooks";
import { Button } from "../shell/button.tsx";
import { FileName } from "../shell/file-name.tsx";
import type { PageState } from "../state/page-state.ts";
import { DeviceChoice } from "./device-choice.tsx";
import { DropVeil } from "./drop-veil.tsx";
import { LinkBox } from "./link-box.tsx";
import { LinkOffer } from "./link-offer.tsx";
import { type ChosenTree, choiceOfLink } from "./linked-tree.ts";
import { SAMPLES } from "./samples.ts";

export function SourceChoice({ page }: { readonly page: PageState }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [problem, setProblem] = useState("");
  const open = (choice: ChosenTree) => {
    dialog.current?.close();
    void page.mount(choice);
  };
  return (
    <>
      <button
        type="button"
        class="source-button"
        aria-haspopup="dialog"
        onClick={() => {
          setProblem("");
          dialog.current?.showModal();
        }}
      >
        <span class="visually-hidden">Open another tree; this one is </span>
        <FileName name={page.tree.value?.choice.name ?? "Open a tree"} />
        <span aria-hidden="true"> ▾</span>
      </button>
      <dialog class="sources" ref={dialog} aria-labelledby="sources-heading">
        <div class="row dialog-head">
          <h2 id="sources-heading">Open a tree</h2>
          <Button onClick={() => dialog.current?.close()} words="Close" />
        </div>
        {/* After a mount the box is empty: an old hash would refuse another archive. */}
        <LinkBox key={page.tree.value?.number} onChoose={(link) => open(choiceOfLink(link))} />
        <DeviceChoice onChoose={open} onRefuse={setProblem} />
        {problem !== "" && (
          <p class="failed" role="alert">
            {problem}
          </p>
        )}
        <section class="stack" aria-labelledby="samples-heading">
          <h3 id="samples-heading">Something to try</h3>
          <div class="row">
            {SAMPLES.map((sample) => (
              <Button key={sample.name} onClick={() => open(sample)} words={sample.name} />
            ))}
          </div>
        </section>
      </dialog>
      <LinkOffer />
      <DropVeil page={page} />
    </>
  );
}
