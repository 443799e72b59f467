/** The calls that wait for the visitor's approval. */

import type { ProposedCall } from "../../adapters/approval.ts";
import { formatCounted } from "../../page-parts/format-quantities.ts";
import { showText } from "../../page-parts/hostile-characters.ts";
import { makeElement } from "../../page-parts/make-element.ts";

/** The services that the list needs from the panel. */
export interface ApprovalHost {
  /** Whether the list may move the focus, because the visitor is not typing. */
  readonly mayTakeFocus: () => boolean;
  /** Called with a sentence when another call waits. */
  readonly onWaiting: (sentence: string) => void;
}

/** Shows one line per call, in the tool's own words. */
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

  /** Resolves with whether the visitor allows the call; rejects with the signal's reason. */
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

  /** Never focuses a button: a key that the visitor just pressed must not approve the call. */
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

  /** Keeps the focus in the list, so that the next call is reachable by keyboard. */
  #remove(line: HTMLElement): void {
    const hadFocus = line.contains(document.activeElement);
    line.remove();
    this.element.hidden = this.element.childElementCount === 0;
    if (hadFocus && !this.element.hidden) {
      this.element.focus({ preventScroll: true });
    }
  }
}
