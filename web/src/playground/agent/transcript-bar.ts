/** The buttons for a whole transcript: copy, download, replay, import, clear. */

import { makeElement } from "../../page-parts/make-element.ts";

export interface TranscriptActions {
  readonly onCopy: () => void;
  readonly onDownload: () => void;
  readonly onReplay: () => void;
  readonly onImport: (file: File) => void;
  readonly onClear: () => void;
}

/** A row of buttons; without a transcript, only Import is enabled. */
export class TranscriptBar {
  readonly element: HTMLElement;
  readonly #needing: readonly HTMLButtonElement[];
  readonly #import = makeElement("button", { type: "button" }, "Import…");

  constructor(actions: TranscriptActions) {
    const replay = makeButton("Replay", actions.onReplay);
    replay.title = "Makes the same calls on the tree that is mounted now";
    this.#needing = [
      replay,
      makeButton("Copy", actions.onCopy),
      makeButton("Download", actions.onDownload),
      makeButton("Clear", actions.onClear),
    ];
    const file = makeElement("input", {
      type: "file",
      id: "agent-import",
      accept: ".jsonl,.json,.txt,application/jsonl",
      "aria-label": "Transcript to import",
      hidden: true,
    });
    this.#import.addEventListener("click", () => file.click());
    file.addEventListener("change", () => {
      const [chosen] = file.files ?? [];
      if (chosen !== undefined) {
        actions.onImport(chosen);
      }
      // Reset, so that choosing the same file again fires a change.
      file.value = "";
    });
    this.element = makeElement("div", { class: "agent-bar" }, ...this.#needing, this.#import, file);
  }

  setUsable({ hasTranscript, isRunning }: { hasTranscript: boolean; isRunning: boolean }): void {
    for (const button of this.#needing) {
      button.disabled = !hasTranscript || isRunning;
    }
    this.#import.disabled = isRunning;
  }
}

function makeButton(label: string, act: () => void): HTMLButtonElement {
  const button = makeElement("button", { type: "button", disabled: true }, label);
  button.addEventListener("click", act);
  return button;
}
