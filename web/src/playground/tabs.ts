/** A tab list with its panels below it. */

import { makeElement } from "../page-parts/make-element.ts";
import { type TabLabel, TabList } from "./tab-list.ts";

/** Shows one of several panels; the panels are children of `element` below the tab list. */
export class Tabs<Name extends string> {
  readonly element: HTMLElement;
  /** The bar that holds the tabs; more controls may be appended after them. */
  readonly bar: HTMLElement;
  readonly #list: TabList<Name>;

  constructor(label: string, tabs: readonly TabLabel<Name>[], selected: Name) {
    this.#list = new TabList(label, tabs);
    this.bar = makeElement("div", { class: "tab-bar" }, this.#list.element);
    const panels = tabs.map((tab) => tab.panel);
    this.element = makeElement("div", { class: "tabs" }, this.bar, ...panels);
    this.select(selected);
  }

  /** Shows one panel and hides the others. */
  select(selected: Name): void {
    this.#list.select(selected);
  }

  /** Enables or disables a tab; selects the first tab if the disabled one was selected. */
  setEnabled(name: Name, isEnabled: boolean): void {
    this.#list.setEnabled(name, isEnabled);
  }
}
