/** The calls that wait for a person's consent. */

import type { ProposedCall } from "../../adapters/approval.ts";
import { formatCounted } from "../../page-parts/format-quantities.ts";
import { showText } from "../../page-parts/hostile-characters.ts";
import { makeElement } from "../../page-parts/make-element.ts";

/** What the list needs of the panel. */
export interface ApprovalHost {
  /** Whether nothing is typed where the focus is now. */
  readonly mayTakeFocus: () => boolean;
  /** Told in a sentence when another call waits. */
  readonly onWaiting: (sentence: string) => void;
}

/** Shows one line for each call, in the tool's own words. */
export class ApprovalList {
  readonly element = makeElement("div", {
    class: "agent-approvals",
    role: "group",
    "aria-label": "Calls that wait for you",
    tabindex: -1,
    hidden: true,
  });
  readonly #host: ApprovalHost;

  constructor(host: ApprovalHost) {
    this.#host = host;
  }

  /** Resolves with what the person says; rejects with the signal's reason. */
  ask({ summary, signal }: ProposedCall): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const allow = makeElement("button", { type: "button", class: "primary" }, "Allow");
      const deny = makeElement("button", { type: "button" }, "Deny");
      const text = makeElement("p", {});
      text.append(showText(summary));
      const line = makeElement("div", { class: "agent-approval" }, text, allow, deny);
      const settle = (act: () => void) => {
        signal?.removeEventListener("abort", abort);
        this.#remove(line);
        act();
      };
      const abort = () => settle(() => reject(signal?.reason));
      signal?.addEventListener("abort", abort, { once: true });
      allow.addEventListener("click", () => settle(() => resolve(true)));
      deny.addEventListener("click", () => settle(() => resolve(false)));
      this.#add(line);
    });
  }

  /** Takes the focus to no button: who types at that moment must not consent by it. */
  #add(line: HTMLElement): void {
    const mayTakeFocus = this.#host.mayTakeFocus();
    this.element.append(line);
    this.element.hidden = false;
    if (mayTakeFocus) {
      this.element.focus({ preventScroll: true });
    }
    const waiting = formatCounted(this.element.childElementCount, "call");
    this.#host.onWaiting(`Allow or deny what waits for you: ${waiting}.`);
  }

  /** Keeps the focus in the list, where a keyboard finds the next call. */
  #remove(line: HTMLElement): void {
    const hadFocus = line.contains(document.activeElement);
    line.remove();
    this.element.hidden = this.element.childElementCount === 0;
    if (hadFocus && !this.element.hidden) {
      this.element.focus({ preventScroll: true });
    }
  }
}
