/** Gemini's generateContent. */
import { isRecord } from "../../src/lib/checks.ts";
import {
  type AskedCall,
  type Conversation,
  inPieces,
  type OfferedTool,
  type Protocol,
  Refused,
  type ToolAnswer,
  type Turn,
} from "./conversation.ts";
import { offeredTool, Rounds, recordAt, recordsAt, stringAt } from "./request-shape.ts";

type Members = Readonly<Record<string, unknown>>;

const USAGE = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };

const STATUSES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
};

export const gemini: Protocol = {
  parse(body) {
    const system = isRecord(body.systemInstruction)
      ? textOf(recordsAt(body.systemInstruction.parts, "systemInstruction.parts"))
      : "";
    const { question, rounds } = parseContents(recordsAt(body.contents, "contents"));
    return { question: `${system}\n${question}`, rounds, tools: parseTools(body.tools) };
  },
  render: (turn, model) => chunk(model, partsOf(turn), finishReason(turn)),
  stream(turn, model) {
    // The provider streams calls whole, and cuts only texts.
    const texts = inPieces(turn.text).map((text) => chunk(model, [{ text }], null));
    const rest = chunk(model, partsOf({ ...turn, text: "" }), finishReason(turn));
    return [...texts, rest].map((data) => ({ event: null, data }));
  },
  error: (code, message) => ({ error: { code, message, status: STATUSES[code] ?? "INTERNAL" } }),
};

function chunk(modelVersion: string, parts: readonly object[], finishReason: string | null) {
  const candidate = {
    index: 0,
    ...(parts.length === 0 ? {} : { content: { role: "model", parts } }),
    ...(finishReason === null ? {} : { finishReason }),
  };
  return { candidates: [candidate], usageMetadata: USAGE, modelVersion, responseId: "response-1" };
}

/** A call with invalid JSON never leaves the provider, which reports it instead. */
function finishReason({ calls }: Turn): string {
  return calls.some((call) => argsOf(call) === null) ? "MALFORMED_FUNCTION_CALL" : "STOP";
}

function partsOf({ text, calls }: Turn): readonly object[] {
  if (calls.some((call) => argsOf(call) === null)) {
    return [];
  }
  const asked = calls.map((call) => ({
    functionCall: { id: call.id, name: call.name, args: argsOf(call) },
  }));
  return [...(text === "" ? [] : [{ text }]), ...asked];
}

function argsOf({ argumentsText }: AskedCall): Members | null {
  try {
    const args: unknown = JSON.parse(argumentsText);
    return isRecord(args) ? args : null;
  } catch {
    return null;
  }
}

function parseTools(tools: unknown): readonly OfferedTool[] {
  const offered: OfferedTool[] = [];
  for (const tool of recordsAt(tools ?? [], "tools")) {
    for (const declared of recordsAt(tool.functionDeclarations ?? [], "functionDeclarations")) {
      if (declared.parameters !== undefined && declared.parametersJsonSchema !== undefined) {
        throw new Refused("parameters and parametersJsonSchema are mutually exclusive.");
      }
      const schema = declared.parametersJsonSchema ?? declared.parameters;
      offered.push(offeredTool(declared.name, schema, offered));
    }
  }
  return offered;
}

function parseContents(contents: readonly Members[]): Omit<Conversation, "tools"> {
  const rounds = new Rounds(WORDS);
  for (const [index, { role = "user", parts: given }] of contents.entries()) {
    const parts = recordsAt(given, `contents[${index}].parts`);
    if (parts.length === 0) {
      throw new Refused(
        `* GenerateContentRequest.contents[${index}].parts: contents.parts must not be empty.`,
      );
    }
    if (role !== "user" && role !== "model") {
      throw new Refused("Please use a valid role: user, model.");
    }
    rounds.answers = role === "user" ? parts.flatMap(parseAnswer) : [];
    rounds.begin(role === "model" ? parts.flatMap(parseCall) : []);
    if (role === "user") {
      rounds.questions.push(textOf(parts));
    }
  }
  return rounds.finish();
}

const WORDS = {
  missing: () =>
    "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
  unasked: () =>
    "Please ensure that function response turn comes immediately after a function call turn.",
};

/** The provider matches a call without an id by its name. */
function parseCall({ functionCall }: Members): AskedCall[] {
  if (functionCall === undefined) {
    return [];
  }
  const call = recordAt(functionCall, "functionCall");
  const name = stringAt(call.name, "functionCall.name");
  const argumentsText = JSON.stringify(recordAt(call.args ?? {}, "functionCall.args"));
  return [{ id: stringAt(call.id ?? name, "functionCall.id"), name, argumentsText }];
}

function parseAnswer({ functionResponse }: Members): ToolAnswer[] {
  if (functionResponse === undefined) {
    return [];
  }
  const answer = recordAt(functionResponse, "functionResponse");
  const name = stringAt(answer.name, "functionResponse.name");
  const { output, error } = recordAt(answer.response, "functionResponse.response");
  const callId = stringAt(answer.id ?? name, "functionResponse.id");
  return [{ callId, text: stringAt(output ?? error, "functionResponse.response.output") }];
}

function textOf(parts: readonly Members[]): string {
  return parts.map(({ text }) => (typeof text === "string" ? text : "")).join("");
}
