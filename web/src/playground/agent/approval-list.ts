/** The calls that wait for a person's consent. */

import type { ProposedCall } from "../../adapters/approval.ts";
import { showText } from "../hostile-characters.ts";
import { makeElement } from "../make-element.ts";

/** Shows one line for each call, in the tool's own words. */
export class ApprovalList {
  readonly element = makeElement("div", {
    class: "agent-approvals",
    role: "group",
    "aria-label": "Calls that wait for you",
    hidden: true,
  });

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
      this.#add(line, allow);
    });
  }

  #add(line: HTMLElement, allow: HTMLButtonElement): void {
    const isFirst = this.element.childElementCount === 0;
    this.element.append(line);
    this.element.hidden = false;
    if (isFirst) {
      allow.focus();
    }
  }

  /** Hands the focus on, so that a keyboard goes through the calls one by one. */
  #remove(line: HTMLElement): void {
    const hadFocus = line.contains(document.activeElement);
    line.remove();
    this.element.hidden = this.element.childElementCount === 0;
    if (hadFocus) {
      this.element.querySelector("button")?.focus();
    }
  }
}
