/** Removes the nulls that a strict schema makes a model send for absent arguments. */
import { isRecord } from "../lib/checks.ts";
import type { JsonSchema } from "../protocol/tools.ts";

/**
 * Returns arguments without the nulls that mean an absent argument, at every depth of the schema.
 *
 * JSON text without such nulls is returned unchanged, so that the tool sees the model's own text; so
 * is invalid JSON, which the tool itself refuses.
 */
export function withoutAbsentNulls(args: unknown, schema: JsonSchema): unknown {
  if (typeof args !== "string") {
    return strip(args, schema);
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(args);
  } catch {
    return args;
  }
  const stripped = strip(parsed, schema);
  return stripped === parsed ? args : stripped;
}

/** Returns the value itself if it has no null to remove. */
function strip(value: unknown, schema: unknown): unknown {
  if (!isRecord(value) || !isRecord(schema) || !isRecord(schema.properties)) {
    return value;
  }
  const { properties } = schema;
  const required: unknown = schema.required;
  let isChanged = false;
  const kept: [string, unknown][] = [];
  for (const [key, member] of Object.entries(value)) {
    const isOptional = Object.hasOwn(properties, key) && !isIn(required, key);
    if (member === null && isOptional) {
      isChanged = true;
      continue;
    }
    const stripped = Object.hasOwn(properties, key) ? strip(member, properties[key]) : member;
    isChanged ||= stripped !== member;
    kept.push([key, stripped]);
  }
  return isChanged ? Object.fromEntries(kept) : value;
}

function isIn(list: unknown, key: string): boolean {
  return Array.isArray(list) && list.includes(key);
}
