/** The review of what the agent proposes: one element, which moves to the end of the last turn. */

import type { TreeglassReview } from "../../element/review/review.ts";
import type { TreeglassClient } from "../../index.ts";

export class ChangeReview {
  #element: TreeglassReview | null = null;

  /** Returns the review if the client has changes; null otherwise. */
  async find(client: TreeglassClient): Promise<HTMLElement | null> {
    const { entries } = await client.changes();
    if (entries.length === 0) {
      return null;
    }
    if (this.#element === null) {
      // On demand, since most visitors change nothing.
      await import("../../element/review/review.ts");
      this.#element = document.createElement("treeglass-review");
      this.#element.client = client;
    }
    return this.#element;
  }

  /** Shows the changes as they are now, if the review is on show. */
  refresh(): void {
    void this.#element?.refresh();
  }
}
