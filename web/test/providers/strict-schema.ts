/** OpenAI's rules for the schema of a strict function. */
import { isRecord } from "../../src/lib/checks.ts";
import { Refused } from "./conversation.ts";

/** The keywords that a strict schema must not have. */
const FORBIDDEN = ["default", "oneOf", "allOf", "not", "if", "then", "else", "patternProperties"];

/** Refuses a schema that breaks a rule, at every depth. */
export function requireStrict(name: string, schema: unknown, path: readonly string[] = []): void {
  if (!isRecord(schema)) {
    return;
  }
  const refuse = (reason: string) =>
    new Refused(
      `Invalid schema for function '${name}': In context=(${path.join(", ")}), ${reason}.`,
    );
  const forbidden = FORBIDDEN.find((keyword) => keyword in schema);
  if (forbidden !== undefined) {
    throw refuse(`'${forbidden}' is not permitted`);
  }
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  if (types.includes("object")) {
    if (schema.additionalProperties !== false) {
      throw refuse("'additionalProperties' is required to be supplied and to be false");
    }
    const properties = isRecord(schema.properties) ? schema.properties : {};
    const required: unknown = schema.required;
    const names = Object.keys(properties);
    const missing = names.find((key) => !Array.isArray(required) || !required.includes(key));
    if (missing !== undefined || !Array.isArray(required) || required.length !== names.length) {
      throw refuse(
        `'required' is required to be supplied and to be an array including every key in properties. Missing '${missing ?? ""}'`,
      );
    }
    for (const [key, value] of Object.entries(properties)) {
      requireStrict(name, value, [...path, "properties", key]);
    }
  }
  requireStrict(name, schema.items, [...path, "items"]);
}
