/** Reads a tool's input schema into the properties that a form can draw. */

import { isJsonObject, type JsonObject, type JsonValue } from "../page-parts/json.ts";

export type PropertyKind =
  | "string"
  | "integer"
  | "number"
  | "boolean"
  | "choice"
  | "strings"
  | "object"
  | "json";

export interface SchemaProperty {
  readonly name: string;
  readonly kind: PropertyKind;
  readonly isRequired: boolean;
  readonly description: string;
  /** What the tool assumes where the call leaves the property out; undefined if it does not say. */
  readonly defaultValue: JsonValue | undefined;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  /** The allowed values of a `choice`. */
  readonly choices: readonly string[];
  /** The properties of an `object`. */
  readonly properties: readonly SchemaProperty[];
}

/**
 * Returns the properties of an object schema in the schema's own order.
 *
 * What the page does not know how to draw becomes `json`: a field that takes
 * any JSON value. Local `$ref`s and "or null" unions are seen through.
 */
export function readProperties(schema: unknown, root: unknown = schema): SchemaProperty[] {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) {
    return [];
  }
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties).map(([name, property]) =>
    readProperty(name, resolve(property, root), required.includes(name), root),
  );
}

function readProperty(
  name: string,
  schema: JsonObject,
  isRequired: boolean,
  root: unknown,
): SchemaProperty {
  const choices = Array.isArray(schema.enum) ? schema.enum : [];
  const isChoice = choices.length > 0 && choices.every((choice) => typeof choice === "string");
  const description = schema.description;
  return {
    name,
    kind: isChoice ? "choice" : readKind(schema),
    isRequired,
    description: typeof description === "string" ? description : "",
    defaultValue: schema.default,
    minimum: readNumber(schema.minimum),
    maximum: readNumber(schema.maximum),
    choices: isChoice ? choices.map(String) : [],
    properties: readProperties(schema, root),
  };
}

function readKind(schema: JsonObject): PropertyKind {
  const type = Array.isArray(schema.type)
    ? schema.type.find((candidate) => candidate !== "null")
    : schema.type;
  switch (type) {
    case "string":
    case "integer":
    case "number":
    case "boolean":
      return type;
    case "object":
      return isJsonObject(schema.properties) ? "object" : "json";
    case "array":
      return holdsStrings(schema.items) ? "strings" : "json";
    default:
      return "json";
  }
}

/** LS publishes its patterns as an array without `items`: strings are the likely guess. */
function holdsStrings(items: JsonValue | undefined): boolean {
  return items === undefined || (isJsonObject(items) && items.type === "string");
}

function readNumber(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function resolve(schema: JsonValue, root: unknown): JsonObject {
  if (!isJsonObject(schema)) {
    return {};
  }
  const reference = schema.$ref;
  if (typeof reference === "string" && reference.startsWith("#/")) {
    let target: unknown = root;
    for (const step of reference.slice(2).split("/")) {
      target = isJsonObject(target) ? target[step] : undefined;
    }
    return isJsonObject(target) ? { ...target, ...schema } : {};
  }
  const union = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(union)) {
    const members = union.map((member) => resolve(member, root));
    const others = members.filter((member) => member.type !== "null");
    const [only] = others;
    return others.length === 1 && only !== undefined ? { ...only, ...schema } : schema;
  }
  return schema;
}
