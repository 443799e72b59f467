/** Two views of the arguments, kept in step: fields drawn from the input schema, and JSON. */

import { makeElement } from "../page-parts/make-element.ts";
import type { CallDraft, DraftOrigin } from "./call-draft.ts";
import { readProperties } from "./input-schema.ts";
import { makeField, type SchemaField } from "./schema-field.ts";
import { Tabs } from "./tabs.ts";

const WAITING = "The fields appear once Python is loaded: they come from the tool's input schema.";
const UNKNOWN = "No tool has this name. The JSON is sent as it is.";
const NOT_AN_OBJECT =
  "This is not a JSON object. It is sent as it is, and the tool reports the error.";

/** Shows and edits the arguments of a draft. */
export class ArgumentsEditor {
  readonly element: HTMLElement;
  readonly #draft: CallDraft;
  readonly #fieldsPanel = makeElement("div", { class: "fields" });
  readonly #json = makeElement("textarea", {
    id: "arguments-json",
    class: "code",
    rows: 10,
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "none",
    "aria-label": "Arguments as JSON",
    "aria-describedby": "arguments-json-note",
  });
  readonly #note = makeElement("p", { id: "arguments-json-note", class: "help json-note" });
  #schemas: ReadonlyMap<string, unknown> | null = null;
  #fields: readonly SchemaField[] = [];
  #drawnFor = "";

  constructor(draft: CallDraft) {
    this.#draft = draft;
    const jsonPanel = makeElement("div", {}, this.#json, this.#note);
    const tabs = new Tabs(
      "Arguments",
      [
        { name: "fields", label: "Fields", panel: this.#fieldsPanel },
        { name: "json", label: "JSON", panel: jsonPanel },
      ],
      "fields",
    );
    this.element = tabs.element;
    this.#fieldsPanel.addEventListener("input", () => this.#readFields());
    this.#json.addEventListener("input", () => {
      draft.setArgumentsText(this.#json.value, "json");
    });
    draft.onChange((origin) => this.#show(origin));
    this.#show("elsewhere");
  }

  /** Sets the input schemas of the offered tools, by tool name. */
  setSchemas(schemas: ReadonlyMap<string, unknown>): void {
    this.#schemas = schemas;
    this.#drawnFor = "";
    this.#show("elsewhere");
  }

  #show(origin: DraftOrigin): void {
    if (origin === "budget") {
      return;
    }
    this.#drawFields();
    const values = this.#draft.argumentsObject;
    if (origin !== "fields") {
      for (const field of this.#fields) {
        field.write(values?.[field.name]);
      }
    }
    if (origin !== "json") {
      this.#json.value = this.#draft.argumentsText;
    }
    this.#note.textContent = values === null ? NOT_AN_OBJECT : "";
  }

  #drawFields(): void {
    const { toolName } = this.#draft;
    if (this.#drawnFor === toolName) {
      return;
    }
    const schema = this.#schemas?.get(toolName);
    this.#fields = readProperties(schema).map((property) =>
      makeField(property, `argument-${property.name}`),
    );
    if (schema === undefined) {
      const sentence = this.#schemas === null ? WAITING : UNKNOWN;
      this.#fieldsPanel.replaceChildren(makeElement("p", { class: "help" }, sentence));
      return;
    }
    this.#drawnFor = toolName;
    this.#fieldsPanel.replaceChildren(...this.#fields.map((field) => field.element));
  }

  #readFields(): void {
    const read = this.#fields.map((field) => [field.name, field.read()] as const);
    const named = new Set(this.#fields.map((field) => field.name));
    // Keep the keys that have no field: the visitor wrote them in the JSON view.
    const others = Object.entries(this.#draft.argumentsObject ?? {}).filter(
      ([name]) => !named.has(name),
    );
    const values = read.flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    this.#draft.setArguments(Object.fromEntries([...values, ...others]), "fields");
  }
}
