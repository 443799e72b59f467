/** Fields for the arguments of a demo, in place of their JSON. */
import { parseField, renderField, withProperty, wordKind } from "../../ui/field-values.ts";
import { readProperties, type SchemaProperty } from "../../ui/input-schema.ts";
import type { JsonObject, JsonValue } from "../../ui/json.ts";
import { makeElement } from "../../ui/make-element.ts";

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/**
 * Has a field for each argument that the author wrote.
 *
 * The other arguments of the tool are below "More arguments", once its schema is known.
 */
export class ArgumentsForm {
  readonly element = makeElement("div", { class: "form", part: "form" });
  readonly #more = makeElement("div");
  readonly #details = makeElement(
    "details",
    {},
    makeElement("summary", {}, "More arguments"),
    this.#more,
  );
  readonly #onEdit: (values: JsonObject) => void;
  #schema: readonly SchemaProperty[] = [];
  #values: JsonObject = {};
  #isReadonly = false;

  constructor(onEdit: (values: JsonObject) => void) {
    this.#onEdit = onEdit;
  }

  set isReadonly(isReadonly: boolean) {
    this.#isReadonly = isReadonly;
    this.show(this.#values);
  }

  set schema(schema: unknown) {
    this.#schema = readProperties(schema);
    this.show(this.#values);
  }

  /** Shows arguments; a field that has the focus keeps what was typed. */
  show(values: JsonObject): void {
    const hasFocus = this.element.matches(":focus-within");
    this.#values = values;
    if (hasFocus) {
      return;
    }
    const written = Object.entries(values).map(
      ([name, value]) => this.#schema.find((known) => known.name === name) ?? guess(name, value),
    );
    const others = this.#schema.filter(({ name }) => values[name] === undefined);
    this.#more.replaceChildren(...others.map((property) => this.#draw(property)));
    this.#details.hidden = others.length === 0 || this.#isReadonly;
    this.element.replaceChildren(...written.map((property) => this.#draw(property)), this.#details);
  }

  #draw(property: SchemaProperty): HTMLElement {
    const { name, description } = property;
    const field = makeField(property);
    field.value = renderField(property, this.#values[name]);
    field.disabled = this.#isReadonly;
    field.addEventListener("input", () => {
      this.#values = withProperty(this.#values, name, parseField(property, field.value));
      this.#onEdit(this.#values);
    });
    const words = makeElement("span", {}, name, " ", makeElement("small", {}, wordKind(property)));
    return makeElement("label", { class: "form-field", title: description }, words, field);
  }
}

function makeField({ kind, choices, defaultValue }: SchemaProperty): Field {
  const unset = renderField({ kind: "json" }, defaultValue ?? undefined);
  if (kind === "boolean" || kind === "choice") {
    const options = kind === "boolean" ? ["true", "false"] : choices;
    const first = makeElement("option", { value: "" }, unset && `default: ${unset}`);
    return makeElement(
      "select",
      {},
      first,
      ...options.map((one) => makeElement("option", {}, one)),
    );
  }
  const attributes = { spellcheck: "false", autocomplete: "off", placeholder: unset };
  return kind === "strings" || kind === "json"
    ? makeElement("textarea", { ...attributes, rows: 1 })
    : makeElement("input", { ...attributes, type: "text" });
}

/** A property of a tool whose schema is not there yet. */
function guess(name: string, value: JsonValue): SchemaProperty {
  const kinds = { string: "string", boolean: "boolean", number: "number" } as const;
  return {
    name,
    kind: Object.entries(kinds).find(([kind]) => typeof value === kind)?.[1] ?? "json",
    isRequired: false,
    description: "",
    defaultValue: undefined,
    minimum: undefined,
    maximum: undefined,
    choices: [],
    properties: [],
  };
}
