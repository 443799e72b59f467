/** Checks that the protocols share; each throws a provider's answer to a request that it refuses. */
import { isRecord } from "../../src/lib/checks.ts";
import type { JsonSchema } from "../../src/protocol/tools.ts";
import { type AskedCall, type OfferedTool, Refused, type ToolAnswer } from "./conversation.ts";

type Members = Readonly<Record<string, unknown>>;

export function recordAt(value: unknown, where: string): Members {
  if (!isRecord(value)) {
    throw new Refused(`Invalid type for '${where}': expected an object.`);
  }
  return value;
}

export function recordsAt(value: unknown, where: string): readonly Members[] {
  if (!Array.isArray(value)) {
    throw new Refused(`Invalid type for '${where}': expected an array of objects.`);
  }
  return value.map((member, index) => recordAt(member, `${where}[${index}]`));
}

export function stringAt(value: unknown, where: string): string {
  if (typeof value !== "string") {
    throw new Refused(`Invalid type for '${where}': expected a string.`);
  }
  return value;
}

/** Returns the text of a message: a string, or parts that have one each. */
export function textAt(value: unknown, where: string): string {
  if (typeof value === "string" || value === null || value === undefined) {
    return value ?? "";
  }
  return recordsAt(value, where)
    .map((part, index) => stringAt(part.text, `${where}[${index}].text`))
    .join("");
}

/** Returns a tool; refuses a name that no provider takes, or one that is there already. */
export function offeredTool(
  name: unknown,
  parameters: unknown,
  before: readonly OfferedTool[],
): OfferedTool {
  const checked = stringAt(name, "tools[].name");
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(checked)) {
    throw new Refused(
      `Invalid tool name ${JSON.stringify(checked)}: it must match ^[a-zA-Z0-9_-]{1,64}$.`,
    );
  }
  if (before.some((tool) => tool.name === checked)) {
    throw new Refused(`Tool names must be unique: ${JSON.stringify(checked)} is there twice.`);
  }
  const schema: JsonSchema = recordAt(parameters, `the parameters of ${checked}`);
  if (schema.type !== "object") {
    throw new Refused(`The schema of ${checked} must have the type "object".`);
  }
  return { name: checked, parameters: schema };
}

/** Refuses answers that are not one for each call, the calls of one id included. */
export function requireAnswers(
  calls: readonly AskedCall[],
  answers: readonly ToolAnswer[],
  words: {
    readonly missing: (id: string) => string;
    readonly unasked: (id: string) => string;
  },
): void {
  const open = calls.map(({ id }) => id);
  for (const { callId } of answers) {
    const index = open.indexOf(callId);
    if (index === -1) {
      throw new Refused(words.unasked(callId));
    }
    open.splice(index, 1);
  }
  const [unanswered] = open;
  if (unanswered !== undefined) {
    throw new Refused(words.missing(unanswered));
  }
}
