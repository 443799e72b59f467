/** Nulls that a strict schema makes a model send for what it leaves out. */
import { isRecord } from "../lib/checks.ts";
import type { JsonSchema } from "../protocol/tools.ts";

/**
 * Returns arguments without the nulls that stand for absent, at every depth of the schema.
 *
 * JSON text that holds none is returned as it is, so that the tool sees what the model wrote; so is
 * text that is no JSON, which the tool words the refusal of.
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

/** Returns the very value where nothing is to be taken out. */
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
