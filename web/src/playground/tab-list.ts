/** A tab list that follows the ARIA pattern: arrow keys, Home and End move and select. */

import { makeElement } from "../page-parts/make-element.ts";

export interface TabLabel<Name extends string> {
  readonly name: Name;
  readonly label: string;
  /** The tab's panel, anywhere on the page; this list shows and hides it. */
  readonly panel: HTMLElement;
}

/** The row of tabs alone. */
export class TabList<Name extends string> {
  readonly element: HTMLElement;
  readonly #tabs: readonly TabLabel<Name>[];
  readonly #buttons = new Map<Name, HTMLButtonElement>();
  readonly #onSelect: (name: Name) => void;

  /** Gives each panel its role and its name; calls `onSelect` at each choice of the visitor. */
  constructor(
    label: string,
    tabs: readonly TabLabel<Name>[],
    onSelect: (name: Name) => void = () => undefined,
  ) {
    this.#tabs = tabs;
    this.#onSelect = onSelect;
    this.element = makeElement("div", {
      role: "tablist",
      "aria-label": label,
      class: "tab-list",
    });
    for (const { name, label: text, panel } of tabs) {
      const tabId = `${name}-tab`;
      panel.id ||= `${name}-panel`;
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", tabId);
      const attributes = { type: "button", role: "tab", id: tabId, "aria-controls": panel.id };
      const button = makeElement("button", attributes, text);
      button.addEventListener("click", () => this.#choose(name));
      this.#buttons.set(name, button);
      this.element.append(button);
    }
    this.element.addEventListener("keydown", (event) => this.#move(event));
  }

  /** Shows one panel and hides the others. */
  select(selected: Name): void {
    for (const { name, panel } of this.#tabs) {
      const isSelected = name === selected;
      panel.hidden = !isSelected;
      const button = this.#buttons.get(name);
      button?.setAttribute("aria-selected", String(isSelected));
      button?.setAttribute("tabindex", isSelected ? "0" : "-1");
    }
  }

  /** Enables or disables a tab; selects the first tab if the disabled one was selected. */
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

  #choose(name: Name): void {
    this.select(name);
    this.#onSelect(name);
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
      this.#choose(target.name);
      this.#buttons.get(target.name)?.focus();
    }
  }
}
