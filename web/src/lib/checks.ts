/** Guards for values from another realm, which are checked before they are used. */

/** Tells whether a value is an object with string keys: not null, not an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Tells whether a value is a count, a size or an id: a safe integer that is not negative. */
export function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

export function isStringList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((member) => typeof member === "string");
}

export function isStringRecord(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && isStringList(Object.values(value));
}

/** Returns a value's class. Not by `instanceof`: a value of a frame has that frame's constructor. */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

export function isAddress(value: unknown): value is string | URL {
  return typeof value === "string" || tagOf(value) === "URL";
}
