/** The sections of a view: a narrow screen shows one at a time, a wide screen shows all. */

import { findElement } from "../page-parts/make-element.ts";
import type { ViewName } from "./view-names.ts";

export type SectionName = "tree" | "tool" | "result" | "agent" | "compare";

const SECTIONS: Readonly<Record<ViewName, readonly SectionName[]>> = {
  console: ["tree", "tool", "result"],
  agent: ["tree", "agent"],
  compare: ["tree", "compare"],
};

/** The bar that selects a section; the style sheet hides it if there is room for all. */
export class Sections {
  readonly #bar = findElement("section-bar", HTMLElement);
  /** The last shown section of each view. */
  readonly #left: Record<ViewName, SectionName> = {
    console: "tree",
    agent: "agent",
    compare: "compare",
  };
  #view: ViewName = "console";

  constructor() {
    for (const button of this.#bar.querySelectorAll("button")) {
      const name = ALL_SECTIONS.find((section) => section === button.dataset.section);
      if (name !== undefined) {
        button.addEventListener("click", () => this.show(name));
      }
    }
    this.setView(this.#view);
  }

  /** Offers the sections of a view, and shows its last shown one. */
  setView(view: ViewName): void {
    this.#view = view;
    for (const button of this.#bar.querySelectorAll("button")) {
      button.hidden = !SECTIONS[view].some((section) => section === button.dataset.section);
    }
    this.show(this.#left[view]);
  }

  /** Shows one section of the current view. */
  show(name: SectionName): void {
    this.#left[this.#view] = name;
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

const ALL_SECTIONS: readonly SectionName[] = ["tree", "tool", "result", "agent", "compare"];
