/** OpenAI's Chat Completions. */
import {
  type AskedCall,
  type Conversation,
  inPieces,
  type OfferedTool,
  type Protocol,
  Refused,
  type StreamEvent,
  type Turn,
} from "./conversation.ts";
import { offeredTool, Rounds, recordAt, recordsAt, stringAt, textAt } from "./request-shape.ts";
import { requireStrict } from "./strict-schema.ts";

const CREATED = 1_760_000_000;
/** The models that send an empty list of calls instead of none, as some servers do. */
const LISTING_NOTHING: ReadonlySet<string> = new Set(["answers-at-once"]);
const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

export const openAiChat: Protocol = {
  parse(body) {
    const messages = recordsAt(body.messages, "messages");
    if (messages.length === 0) {
      throw new Refused("Invalid 'messages': empty array.");
    }
    return { ...parseMessages(messages), tools: parseTools(body.tools) };
  },
  render: (turn, model) => ({
    ...head("chat.completion", model),
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: turn.text === "" ? null : turn.text,
          refusal: null,
          ...(turn.calls.length === 0 && !LISTING_NOTHING.has(model)
            ? {}
            : { tool_calls: turn.calls.map(renderCall) }),
        },
        logprobs: null,
        finish_reason: finishReason(turn),
      },
    ],
    usage: USAGE,
  }),
  stream(turn, model) {
    const chunk = (delta: object, finish_reason: string | null = null): StreamEvent => ({
      event: null,
      data: {
        ...head("chat.completion.chunk", model),
        choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      },
    });
    const usage = { ...head("chat.completion.chunk", model), choices: [], usage: USAGE };
    return [
      chunk({ role: "assistant", content: turn.text === "" ? null : "", refusal: null }),
      ...inPieces(turn.text).map((content) => chunk({ content })),
      ...turn.calls.flatMap((call, index) => callDeltas(call, index).map((delta) => chunk(delta))),
      chunk({}, finishReason(turn)),
      { event: null, data: usage },
      { event: null, data: "[DONE]" },
    ];
  },
  error: openAiError,
};

/** The shape of all errors of OpenAI. */
export function openAiError(status: number, message: string): object {
  const type = status === 400 ? "invalid_request_error" : "server_error";
  return { error: { message, type, param: null, code: null } };
}

function head(object: string, model: string): object {
  return { id: "chatcmpl-1", object, created: CREATED, model };
}

function finishReason({ calls }: Turn): string {
  return calls.length === 0 ? "stop" : "tool_calls";
}

function renderCall({ id, name, argumentsText }: AskedCall): object {
  return { id, type: "function", function: { name, arguments: argumentsText } };
}

/** The provider sends the name first, without arguments. */
function callDeltas({ id, name, argumentsText }: AskedCall, index: number): object[] {
  const begin = { index, id, type: "function", function: { name, arguments: "" } };
  const pieces = inPieces(argumentsText).map((piece) => ({
    index,
    function: { arguments: piece },
  }));
  return [begin, ...pieces].map((call) => ({ tool_calls: [call] }));
}

function parseTools(tools: unknown): readonly OfferedTool[] {
  const offered: OfferedTool[] = [];
  for (const tool of recordsAt(tools ?? [], "tools")) {
    const described = recordAt(tool.function, "tools[].function");
    const parsed = offeredTool(described.name, described.parameters, offered);
    if (described.strict === true) {
      requireStrict(parsed.name, parsed.parameters);
    }
    offered.push(parsed);
  }
  return offered;
}

function parseMessages(
  messages: readonly Readonly<Record<string, unknown>>[],
): Omit<Conversation, "tools"> {
  const rounds = new Rounds(WORDS);
  for (const [index, message] of messages.entries()) {
    const where = `messages[${index}]`;
    if (message.role === "tool") {
      const callId = stringAt(message.tool_call_id, `${where}.tool_call_id`);
      if (message.content === undefined) {
        throw new Refused(`Missing required parameter: '${where}.content'.`);
      }
      rounds.answers.push({ callId, text: textAt(message.content, `${where}.content`) });
      continue;
    }
    rounds.begin();
    if (message.role === "assistant") {
      rounds.calls = recordsAt(message.tool_calls ?? [], `${where}.tool_calls`).map(parseCall);
    } else if (ASKING_ROLES.includes(message.role)) {
      rounds.questions.push(textAt(message.content, `${where}.content`));
    } else {
      throw new Refused(`Invalid value for '${where}.role'.`);
    }
  }
  return rounds.finish();
}

const ASKING_ROLES: readonly unknown[] = ["system", "developer", "user"];

const WORDS = {
  missing: (id: string) =>
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${id}`,
  unasked: (id: string) =>
    `Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls': ${id}`,
};

function parseCall(call: Readonly<Record<string, unknown>>): AskedCall {
  const called = recordAt(call.function, "tool_calls[].function");
  return {
    id: stringAt(call.id, "tool_calls[].id"),
    name: stringAt(called.name, "tool_calls[].function.name"),
    argumentsText: stringAt(called.arguments, "tool_calls[].function.arguments"),
  };
}
