/** JSON values as types, and the narrowing of what arrives as `unknown`. */

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Tells whether a value that came out of `JSON.parse` is an object, not an array or null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the object that a text spells, or null where it is not JSON or no object. */
export function parseJsonObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Returns the text by which an object is shown and sent. */
export function renderJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
