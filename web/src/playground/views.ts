/** What can be done with the mounted tree: one call at a time, by an agent, or by all listings at once. */

import { findElement } from "../page-parts/make-element.ts";
import type { Sections } from "./sections.ts";
import { TabList } from "./tab-list.ts";
import type { ViewName } from "./view-names.ts";

/** Where the page's first link leads, and what it is called, by view. */
const SKIPS: Readonly<Record<ViewName, readonly [target: string, words: string]>> = {
  console: ["result-pane", "Skip to the result"],
  agent: ["agent-view", "Skip to the agent"],
  compare: ["compare-view", "Skip to the comparison"],
};

/** The views' tabs; the tree stands beside each of them. */
export class Views {
  readonly #sections: Sections;
  readonly #onChange: (view: ViewName) => void;
  readonly #skip = findElement("skip-link", HTMLAnchorElement);
  readonly #tabs: TabList<ViewName>;
  #current: ViewName = "console";

  /** `onChange` is told of each view that is shown, but not of the first. */
  constructor(sections: Sections, onChange: (view: ViewName) => void) {
    this.#sections = sections;
    this.#onChange = onChange;
    this.#tabs = new TabList<ViewName>(
      "Views",
      [
        { name: "console", label: "Console", panel: findElement("console-view", HTMLElement) },
        { name: "agent", label: "Agent", panel: findElement("agent-view", HTMLElement) },
        { name: "compare", label: "Compare", panel: findElement("compare-view", HTMLElement) },
      ],
      (view) => this.show(view),
    );
    findElement("view-tabs", HTMLElement).append(this.#tabs.element);
    this.#tabs.select(this.#current);
    this.#skip.addEventListener("click", (event) => {
      // The link's own way ends at a hidden section on a phone, and the address holds the call.
      event.preventDefault();
      this.#sections.show(this.#current === "console" ? "result" : this.#current);
      findElement(SKIPS[this.#current][0], HTMLElement).focus();
    });
  }

  get current(): ViewName {
    return this.#current;
  }

  show(view: ViewName): void {
    if (view === this.#current) {
      return;
    }
    this.#current = view;
    const [target, words] = SKIPS[view];
    this.#skip.textContent = words;
    this.#skip.setAttribute("href", `#${target}`);
    document.body.dataset.view = view;
    this.#tabs.select(view);
    this.#sections.setView(view);
    this.#onChange(view);
  }
}
