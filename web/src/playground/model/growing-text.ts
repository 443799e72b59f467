/** An answer on the timeline that grows while it arrives, at most once for each frame. */

import type { Timeline } from "../state/timeline.ts";

export class GrowingText {
  readonly #add: (text: string) => { text: { value: string } };
  #item: { text: { value: string } } | null = null;
  #text = "";
  #isScheduled = false;

  constructor(timeline: Timeline) {
    this.#add = (text) => timeline.addText("answer", "model", text);
  }

  add(delta: string): void {
    this.#text += delta;
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      onNextFrame(() => {
        this.#isScheduled = false;
        this.show();
      });
    }
  }

  /** Shows all text now: a hidden page draws no frames. */
  show(): void {
    if (this.#item !== null) {
      this.#item.text.value = this.#text;
    } else if (this.#text.trim() !== "") {
      this.#item = this.#add(this.#text);
    }
  }
}

function onNextFrame(act: () => void): void {
  if (typeof requestAnimationFrame === "function") {
    requestAnimationFrame(act);
  } else {
    setTimeout(act);
  }
}
