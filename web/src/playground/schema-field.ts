/** One field of the form: made from a schema property, with a JSON value. */

import { isJsonObject, type JsonValue, renderJson } from "../page-parts/json.ts";
import { makeElement } from "../page-parts/make-element.ts";
import type { SchemaProperty } from "./input-schema.ts";

export interface SchemaField {
  readonly name: string;
  readonly element: HTMLElement;
  /** Returns the field's value; undefined omits the property from the call. */
  read(): JsonValue | undefined;
  /** Shows a value; undefined clears the field. The inverse of `read`. */
  write(value: JsonValue | undefined): void;
}

/** Returns the field for a property; `path` makes its id unique within the page. */
export function makeField(property: SchemaProperty, path: string): SchemaField {
  switch (property.kind) {
    case "object":
      return makeObjectField(property, path);
    case "boolean":
      return makeSelectField(property, path, ["true", "false"]);
    case "choice":
      return makeSelectField(property, path, property.choices);
    default:
      return makeTextField(property, path);
  }
}

function makeTextField(property: SchemaProperty, path: string): SchemaField {
  const isTall = property.kind === "strings" || property.kind === "json";
  const attributes = {
    id: path,
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "none",
    "aria-required": String(property.isRequired),
    placeholder: renderPlaceholder(property),
  };
  const isNumeric = property.kind === "integer" || property.kind === "number";
  // A number has a text input, because type=number drops input that is not a number,
  // and a visitor may want to see how the tool answers wrong input.
  const control = isTall
    ? makeElement("textarea", { ...attributes, rows: 2 })
    : makeElement("input", { ...attributes, type: "text", ...(isNumeric && NUMERIC) });
  return {
    name: property.name,
    element: wrap(property, control, isNumeric),
    read: () => (control.value === "" ? undefined : parseText(property, control.value)),
    write: (value) => {
      control.value = renderText(property, value);
    },
  };
}

const NUMERIC = { inputmode: "numeric" } as const;

function makeSelectField(
  property: SchemaProperty,
  path: string,
  choices: readonly string[],
): SchemaField {
  const { defaultValue, isRequired } = property;
  const unset = defaultValue === undefined ? "not set" : `default: ${String(defaultValue)}`;
  const control = makeElement(
    "select",
    { id: path, "aria-required": String(isRequired) },
    makeElement("option", { value: "" }, unset),
    ...choices.map((choice) => makeElement("option", { value: choice }, choice)),
  );
  return {
    name: property.name,
    element: wrap(property, control, true),
    read: () => {
      if (control.value === "") {
        return undefined;
      }
      return property.kind === "boolean" ? control.value === "true" : control.value;
    },
    write: (value) => {
      control.value = value === undefined ? "" : String(value);
      // A value outside the schema selects no option.
      if (control.selectedIndex === -1) {
        control.value = "";
      }
    },
  };
}

function makeObjectField(property: SchemaProperty, path: string): SchemaField {
  const fields = property.properties.map((inner) => makeField(inner, `${path}-${inner.name}`));
  const group = makeElement(
    "details",
    { class: "field-group" },
    makeElement("summary", {}, ...labelParts(property)),
    ...describe(property, path),
    makeElement(
      "div",
      { class: "fields", role: "group", "aria-label": property.name },
      ...fields.map((field) => field.element),
    ),
  );
  return {
    name: property.name,
    element: group,
    read: () => {
      const entries = fields.flatMap((field) => {
        const value = field.read();
        return value === undefined ? [] : [[field.name, value] as const];
      });
      return entries.length === 0 ? undefined : Object.fromEntries(entries);
    },
    write: (value) => {
      const values = isJsonObject(value) ? value : {};
      for (const field of fields) {
        field.write(values[field.name]);
      }
      group.open ||= Object.keys(values).length > 0;
    },
  };
}

function wrap(
  property: SchemaProperty,
  control: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement,
  isNarrow: boolean,
): HTMLElement {
  const help = describe(property, control.id);
  if (help.length > 0) {
    control.setAttribute("aria-describedby", `${control.id}-help`);
  }
  return makeElement(
    "div",
    { class: isNarrow ? "field narrow" : "field" },
    makeElement("label", { for: control.id }, ...labelParts(property)),
    control,
    ...help,
  );
}

/** Returns the parts with spaces between them; without, screen readers read the label as one word. */
function labelParts(property: SchemaProperty): (HTMLElement | string)[] {
  const name = makeElement("span", { class: "field-name" }, property.name);
  const kind = makeElement("span", { class: "field-kind" }, renderKind(property));
  return property.isRequired
    ? [name, " ", kind, " ", makeElement("span", { class: "field-required" }, "required")]
    : [name, " ", kind];
}

function describe(property: SchemaProperty, path: string): HTMLElement[] {
  return property.description === ""
    ? []
    : [makeElement("p", { class: "help", id: `${path}-help` }, property.description)];
}

function renderKind({ kind, minimum, maximum }: SchemaProperty): string {
  const words = { choice: "one of", strings: "strings, one per line", json: "JSON" } as const;
  const word = kind in words ? words[kind as keyof typeof words] : kind;
  if (minimum !== undefined && maximum !== undefined) {
    return `${word} ${minimum}–${maximum}`;
  }
  return minimum === undefined ? word : `${word} ≥ ${minimum}`;
}

function renderPlaceholder({ defaultValue }: SchemaProperty): string {
  if (defaultValue === undefined || defaultValue === null) {
    return "";
  }
  return typeof defaultValue === "object" ? JSON.stringify(defaultValue) : String(defaultValue);
}

function parseText({ kind }: SchemaProperty, text: string): JsonValue {
  switch (kind) {
    case "integer":
    case "number":
      return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text.trim()) ? Number(text) : text;
    case "strings":
      return text.split("\n").filter((line) => line !== "");
    case "json":
      return parseAny(text);
    default:
      return text;
  }
}

/** Keeps invalid JSON as text, so that a half-typed value is not lost. */
function parseAny(text: string): JsonValue {
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}

function renderText({ kind }: SchemaProperty, value: JsonValue | undefined): string {
  if (value === undefined) {
    return "";
  }
  if (kind === "strings" && Array.isArray(value)) {
    return value.map(String).join("\n");
  }
  if (kind === "json" || typeof value === "object") {
    return typeof value === "string" ? value : renderJson(value);
  }
  return String(value);
}
