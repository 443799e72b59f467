/** Reads a tool's input schema as the properties of a form. */
import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";

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
  /** The value that the tool uses if the call omits the property; undefined if the schema names none. */
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
 * A property that the form cannot draw becomes `json`: a field that takes any JSON value.
 * Resolves local `$ref`s, and reads "or null" unions as the other type.
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

/** An array without `items` counts as strings, which fits the patterns of LS, published without it. */
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
