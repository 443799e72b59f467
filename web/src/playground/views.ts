/** The page's views: the console, the agent, and the comparison. */

import { findElement } from "../page-parts/make-element.ts";
import type { Sections } from "./sections.ts";
import { TabList } from "./tab-list.ts";
import type { ViewName } from "./view-names.ts";

/** The target and the label of the page's skip link, by view. */
const SKIPS: Readonly<Record<ViewName, readonly [target: string, words: string]>> = {
  console: ["result-pane", "Skip to the result"],
  agent: ["agent-view", "Skip to the agent"],
  compare: ["compare-view", "Skip to the comparison"],
};

/** The tabs of the views; the tree stays beside every view. */
export class Views {
  readonly #sections: Sections;
  readonly #onChange: (view: ViewName) => void;
  readonly #skip = findElement("skip-link", HTMLAnchorElement);
  readonly #tabs: TabList<ViewName>;
  #current: ViewName = "console";

  /** Calls `onChange` for each newly shown view, but not for the first one. */
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
      // The plain link could lead to a section hidden on a phone, and would overwrite the address.
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
