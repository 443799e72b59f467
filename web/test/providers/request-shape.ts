/** Checks that the protocols share; each throws a provider's answer to an invalid request. */
import { isRecord } from "../../src/lib/checks.ts";
import type { JsonSchema } from "../../src/protocol/tools.ts";
import {
  type AskedCall,
  type Conversation,
  type OfferedTool,
  Refused,
  type Round,
  type ToolAnswer,
} from "./conversation.ts";

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

/** Returns the text of a message, which is a string or a list of parts with texts. */
export function textAt(value: unknown, where: string): string {
  if (typeof value === "string" || value === null || value === undefined) {
    return value ?? "";
  }
  return recordsAt(value, where)
    .map((part, index) => stringAt(part.text, `${where}[${index}].text`))
    .join("");
}

/** Returns a tool; refuses an invalid name, and a name that another tool has. */
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

/** What a provider says of answers that do not fit the calls. */
interface Words {
  readonly missing: (id: string) => string;
  readonly unasked: (id: string) => string;
}

/** Collects the calls of a conversation with their answers, and its questions. */
export class Rounds {
  readonly questions: string[] = [];
  calls: AskedCall[] = [];
  answers: ToolAnswer[] = [];
  readonly #words: Words;
  readonly #rounds: Round[] = [];

  constructor(words: Words) {
    this.#words = words;
  }

  /** Ends the last calls, and begins with the next ones; refuses missing and unasked answers. */
  begin(calls: AskedCall[] = []): void {
    requireAnswers(this.calls, this.answers, this.#words);
    if (this.calls.length > 0) {
      this.#rounds.push({ calls: this.calls, answers: this.answers });
    }
    [this.calls, this.answers] = [calls, []];
  }

  finish(): Omit<Conversation, "tools"> {
    this.begin();
    return { question: this.questions.join("\n"), rounds: this.#rounds };
  }
}

/** Refuses answers unless each call has exactly one, also among calls with the same id. */
function requireAnswers(
  calls: readonly AskedCall[],
  answers: readonly ToolAnswer[],
  words: Words,
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
