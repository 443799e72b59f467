/** A tab list after the ARIA pattern: arrows, Home and End move and select. */

import { makeElement } from "./make-element.ts";

export interface Tab<Name extends string> {
  readonly name: Name;
  readonly label: string;
  readonly panel: HTMLElement;
}

/** Shows one of several panels; the panels are children of `element` below the tab list. */
export class Tabs<Name extends string> {
  readonly element: HTMLElement;
  /** The bar that holds the tabs; more controls may be appended after them. */
  readonly bar: HTMLElement;
  readonly #tabs: readonly Tab<Name>[];
  readonly #buttons = new Map<Name, HTMLButtonElement>();

  constructor(label: string, tabs: readonly Tab<Name>[], selected: Name) {
    this.#tabs = tabs;
    const list = makeElement("div", { role: "tablist", "aria-label": label, class: "tab-list" });
    for (const { name, label: text, panel } of tabs) {
      const tabId = `${name}-tab`;
      panel.id = `${name}-panel`;
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", tabId);
      const attributes = { type: "button", role: "tab", id: tabId, "aria-controls": panel.id };
      const button = makeElement("button", attributes, text);
      button.addEventListener("click", () => this.select(name));
      this.#buttons.set(name, button);
      list.append(button);
    }
    list.addEventListener("keydown", (event) => this.#move(event));
    this.bar = makeElement("div", { class: "tab-bar" }, list);
    const panels = tabs.map((tab) => tab.panel);
    this.element = makeElement("div", { class: "tabs" }, this.bar, ...panels);
    this.select(selected);
  }

  select(selected: Name): void {
    for (const { name, panel } of this.#tabs) {
      const isSelected = name === selected;
      panel.hidden = !isSelected;
      const button = this.#buttons.get(name);
      button?.setAttribute("aria-selected", String(isSelected));
      button?.setAttribute("tabindex", isSelected ? "0" : "-1");
    }
  }

  /** Offers a tab or greys it out; a selected tab that goes gives way to the first. */
  setEnabled(name: Name, isEnabled: boolean): void {
    const button = this.#buttons.get(name);
    if (button === undefined) {
      return;
    }
    button.disabled = !isEnabled;
    const [first] = this.#tabs;
    if (!isEnabled && first !== undefined && button.getAttribute("aria-selected") === "true") {
      this.select(first.name);
    }
  }

  #move(event: KeyboardEvent): void {
    const enabled = this.#tabs.filter(({ name }) => !this.#buttons.get(name)?.disabled);
    const current = enabled.findIndex(
      ({ name }) => this.#buttons.get(name) === document.activeElement,
    );
    const targets: Readonly<Record<string, number>> = {
      ArrowRight: (current + 1) % enabled.length,
      ArrowLeft: (current - 1 + enabled.length) % enabled.length,
      Home: 0,
      End: enabled.length - 1,
    };
    const target = enabled[targets[event.key] ?? -1];
    if (target !== undefined) {
      event.preventDefault();
      this.select(target.name);
      this.#buttons.get(target.name)?.focus();
    }
  }
}
