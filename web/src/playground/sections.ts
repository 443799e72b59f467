/** On a narrow screen one of three sections is shown at a time; on a wide one all are. */

import { findElement } from "./make-element.ts";

export type SectionName = "tree" | "tool" | "result";

/** The bar of sections; the style sheet hides it where there is room for all. */
export class Sections {
  readonly #bar = findElement("section-bar", HTMLElement);

  constructor() {
    for (const button of this.#bar.querySelectorAll("button")) {
      button.addEventListener("click", () => this.#mark(button.dataset.section ?? "tree"));
    }
  }

  show(name: SectionName): void {
    this.#mark(name);
  }

  #mark(name: string): void {
    document.body.dataset.section = name;
    for (const button of this.#bar.querySelectorAll("button")) {
      if (button.dataset.section === name) {
        button.setAttribute("aria-current", "true");
      } else {
        button.removeAttribute("aria-current");
      }
    }
  }
}
