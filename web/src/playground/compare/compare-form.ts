/** The form of a comparison: the directory, what to search for, and the settings of a listing. */

import { makeElement } from "../../page-parts/make-element.ts";
import { type Comparison, DEPTHS, readCount, readDirectory, spellDirectory } from "./comparison.ts";

export interface CompareFormActions {
  /** The visitor asked for this comparison. */
  readonly onSubmit: (comparison: Comparison) => void;
}

export class CompareForm {
  readonly element: HTMLFormElement;
  readonly #directory = makeElement("input", {
    id: "compare-directory",
    type: "text",
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "none",
  });
  readonly #pattern = makeElement("input", {
    id: "compare-pattern",
    type: "text",
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "none",
    placeholder: "empty: list",
  });
  readonly #depth = makeElement(
    "select",
    { id: "compare-depth" },
    makeElement("option", { value: "" }, "Each tool's own"),
    ...DEPTHS.map((depth) => makeElement("option", { value: depth }, String(depth))),
  );
  readonly #hidden = makeElement("input", { id: "compare-hidden", type: "checkbox" });
  readonly #budget = makeElement("input", {
    id: "compare-budget",
    type: "text",
    inputmode: "numeric",
    autocomplete: "off",
    placeholder: "102400",
  });

  constructor({ onSubmit }: CompareFormActions) {
    this.element = makeElement(
      "form",
      { class: "compare-form", "aria-label": "Comparison", novalidate: true },
      makeField("Directory", this.#directory),
      makeField("Search for", this.#pattern),
      makeField("Depth", this.#depth),
      makeField("Max output bytes", this.#budget),
      makeElement("label", { class: "compare-check" }, this.#hidden, "Ask for hidden entries"),
      makeElement("button", { type: "submit", class: "primary" }, "Compare"),
    );
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      onSubmit(this.#read());
    });
    // A selection submits at once; typed text waits for the button or Enter.
    for (const choice of [this.#depth, this.#hidden]) {
      choice.addEventListener("change", () => onSubmit(this.#read()));
    }
    this.#budget.addEventListener("input", () => {
      const isWhole = this.#budget.value.trim() === "" || this.#readBudget() !== null;
      this.#budget.setAttribute("aria-invalid", String(!isWhole));
    });
  }

  show({ pattern, directory, depth, includeHidden, maxOutputBytes }: Comparison): void {
    this.#pattern.value = pattern;
    // Only a listing has them.
    this.#depth.disabled = pattern !== "";
    this.#hidden.disabled = pattern !== "";
    this.#directory.value = spellDirectory(directory);
    this.#depth.value = depth === null ? "" : String(depth);
    this.#hidden.checked = includeHidden;
    this.#budget.value = maxOutputBytes === null ? "" : String(maxOutputBytes);
    this.#budget.removeAttribute("aria-invalid");
  }

  #read(): Comparison {
    return {
      pattern: this.#pattern.value,
      directory: readDirectory(this.#directory.value),
      depth: this.#depth.value === "" ? null : Number(this.#depth.value),
      includeHidden: this.#hidden.checked,
      maxOutputBytes: this.#readBudget(),
    };
  }

  #readBudget(): number | null {
    return readCount(this.#budget.value.trim());
  }
}

function makeField(words: string, control: HTMLElement): HTMLElement {
  const label = makeElement("label", { for: control.id }, words);
  return makeElement("div", { class: "field" }, label, control);
}
