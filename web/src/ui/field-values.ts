/** The text of a field and the JSON value that it stands for. */
import type { SchemaProperty } from "./input-schema.ts";
import { type JsonObject, type JsonValue, renderJson } from "./json.ts";

type Kind = Pick<SchemaProperty, "kind">;

/** Returns the value of a typed text; undefined for "", which omits the property from the call. */
export function parseField({ kind }: Kind, text: string): JsonValue | undefined {
  if (text === "") {
    return undefined;
  }
  switch (kind) {
    case "integer":
    case "number":
      return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text.trim()) ? Number(text) : text;
    case "boolean":
      return text === "true" ? true : text === "false" ? false : text;
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

/** Returns a value as the text of its field; the inverse of `parseField`. */
export function renderField({ kind }: Kind, value: JsonValue | undefined): string {
  if (value === undefined) {
    return "";
  }
  if (kind === "strings" && Array.isArray(value)) {
    return value.map(String).join("\n");
  }
  return typeof value === "string" ? value : renderJson(value);
}

/** Returns what a field keeps showing: the typed text while it still stands for the value. */
export function shownField(property: Kind, typed: string, value: JsonValue | undefined): string {
  return JSON.stringify(parseField(property, typed)) === JSON.stringify(value)
    ? typed
    : renderField(property, value);
}

/** Returns an object with a property set; undefined removes it. */
export function withProperty(
  values: JsonObject,
  name: string,
  value: JsonValue | undefined,
): JsonObject {
  const { [name]: _, ...others } = values;
  return value === undefined ? others : { ...values, [name]: value };
}

/** Returns the words for what a field takes. */
export function wordKind({ kind, isRequired, minimum, maximum }: SchemaProperty): string {
  const words = { choice: "one of", strings: "texts, one per line", json: "JSON", string: "text" };
  const word = Object.entries(words).find(([name]) => name === kind)?.[1] ?? kind;
  const range =
    minimum === undefined ? "" : maximum === undefined ? ` ≥ ${minimum}` : ` ${minimum}–${maximum}`;
  return `${word}${range}${isRequired ? ", required" : ""}`;
}
