/** An answer on the timeline that grows while it arrives, at most once for each frame. */

import type { TextItem, Timeline } from "../state/timeline.ts";

export class GrowingText {
  readonly #timeline: Timeline;
  #item: TextItem | null = null;
  #text = "";
  #isScheduled = false;

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  add(delta: string): void {
    this.#text += delta;
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      // Node has no frames.
      (globalThis.requestAnimationFrame ?? setTimeout)(() => this.show());
    }
  }

  /** Shows all text now: a hidden page draws no frames. */
  show(): void {
    this.#isScheduled = false;
    if (this.#item !== null) {
      this.#item.text.value = this.#text;
    } else if (this.#text.trim() !== "") {
      this.#item = this.#timeline.addText("answer", "model", this.#text);
    }
  }
}
