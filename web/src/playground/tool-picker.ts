/** The tools as one radio group, by family, each with a one-line summary. */

import { renderJson } from "../page-parts/json.ts";
import { makeElement } from "../page-parts/make-element.ts";
import type { CallDraft } from "./call-draft.ts";
import { findNote, TOOL_NOTES } from "./tool-notes.ts";

/** The parts of a tool's definition that the picker shows. */
export interface PickableTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
}

/** Shows the tool of a draft, and lets the visitor select another. */
export class ToolPicker {
  readonly element: HTMLElement;
  readonly #draft: CallDraft;
  readonly #onChoose: (toolName: string) => void;
  readonly #radios = makeElement("div", { class: "tool-radios" });
  readonly #description = makeElement("p", { class: "tool-description" });
  readonly #schema = makeElement("pre", {
    class: "code",
    tabindex: 0,
    "aria-label": "Input schema",
  });
  #tools: readonly PickableTool[] = TOOL_NOTES.map(({ name }) => ({
    name,
    description: "",
    inputSchema: null,
  }));

  constructor(draft: CallDraft, onChoose: (toolName: string) => void) {
    this.#draft = draft;
    this.#onChoose = onChoose;
    this.element = makeElement(
      "div",
      { class: "tool-picker" },
      makeElement(
        "fieldset",
        {},
        makeElement("legend", { class: "visually-hidden" }, "Tool"),
        this.#radios,
      ),
      makeElement(
        "details",
        { class: "definition" },
        makeElement("summary", {}, "What a model is told about it"),
        this.#description,
        this.#schema,
      ),
    );
    this.#draw();
    draft.onChange(() => this.#mark());
  }

  /** Replaces the tools that the page expects with those that the client offers. */
  setTools(tools: readonly PickableTool[]): void {
    const known = TOOL_NOTES.flatMap((note) => tools.filter((tool) => tool.name === note.name));
    this.#tools = [...known, ...tools.filter((tool) => findNote(tool.name) === undefined)];
    this.#draw();
  }

  #draw(): void {
    const families = new Map<string, HTMLElement[]>();
    for (const tool of this.#tools) {
      const family = findNote(tool.name)?.family ?? "Other tools";
      families.set(family, [...(families.get(family) ?? []), this.#makeOption(tool)]);
    }
    const groups = [...families].map(([family, options]) =>
      makeElement(
        "div",
        { class: "tool-family", role: "group", "aria-label": family },
        makeElement("p", { class: "tool-family-name", "aria-hidden": "true" }, family),
        ...options,
      ),
    );
    this.#radios.replaceChildren(...groups);
    this.#mark();
  }

  #makeOption({ name, description }: PickableTool): HTMLElement {
    const input = makeElement("input", { type: "radio", name: "tool", value: name });
    input.addEventListener("change", () => this.#onChoose(name));
    return makeElement(
      "label",
      { class: "tool-option" },
      input,
      makeElement("span", { class: "tool-name" }, name),
      makeElement("span", { class: "tool-summary" }, findNote(name)?.summary ?? description),
    );
  }

  #mark(): void {
    for (const input of this.#radios.querySelectorAll("input")) {
      input.checked = input.value === this.#draft.toolName;
    }
    const tool = this.#tools.find(({ name }) => name === this.#draft.toolName);
    this.#description.textContent = tool?.description ?? "";
    this.#schema.textContent = renderJson(tool?.inputSchema ?? null);
  }
}
