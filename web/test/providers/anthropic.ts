/** Anthropic's Messages. */
import { isRecord } from "../../src/lib/checks.ts";
import {
  type AskedCall,
  type Conversation,
  inPieces,
  type OfferedTool,
  type Protocol,
  Refused,
  type StreamEvent,
  type ToolAnswer,
  type Turn,
} from "./conversation.ts";
import { offeredTool, Rounds, recordsAt, stringAt, textAt } from "./request-shape.ts";

type Members = Readonly<Record<string, unknown>>;

const USAGE = { input_tokens: 1, output_tokens: 1 };

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  404: "not_found_error",
  429: "rate_limit_error",
};

/** The provider's memory of a thread. */
interface Thread {
  readonly system: unknown;
  readonly tools: unknown;
  readonly messages: readonly Members[];
}

/** Returns a provider that remembers its threads, by the ids of its messages. */
export function anthropicMessages(): Protocol {
  const kept = new Map<string, Thread>();
  let made = 0;
  let current: Thread = { system: null, tools: [], messages: [] };
  const respond = (turn: Turn, model: string) => {
    made += 1;
    const id = `msg_${made}`;
    const content = contentOf(turn);
    const answer = { role: "assistant", content };
    kept.set(id, { ...current, messages: [...current.messages, answer] });
    return { ...head(id, model), content, stop_reason: stopReason(turn) };
  };
  return {
    parse(body) {
      if (typeof body.max_tokens !== "number") {
        throw new Refused("max_tokens: Field required");
      }
      current = threadOf(body, kept);
      const system = textAt(current.system, "system");
      const { question, rounds } = parseMessages(current.messages);
      return { question: `${system}\n${question}`, rounds, tools: parseTools(current.tools) };
    },
    render: respond,
    stream(turn, model) {
      const message = { ...respond(turn, model), content: [], stop_reason: null };
      const texts = turn.text === "" ? [] : [turn.text];
      const events = [
        { type: "message_start", message },
        ...texts.flatMap((text, index) =>
          blockEvents(index, { type: "text", text: "", citations: null }, text, "text"),
        ),
        ...turn.calls.flatMap((call, index) =>
          blockEvents(texts.length + index, blockOf(call), call.argumentsText, "partial_json"),
        ),
        {
          type: "message_delta",
          delta: { stop_reason: stopReason(turn), stop_sequence: null },
          usage: USAGE,
        },
        { type: "message_stop" },
      ];
      return events.map((data): StreamEvent => ({ event: data.type, data }));
    },
    error: (status, message) => ({
      type: "error",
      error: { type: ERROR_TYPES[status] ?? "api_error", message },
      request_id: "req_1",
    }),
  };
}

/** Returns a whole conversation; the request of a thread has only its newest part. */
function threadOf(body: Members, kept: ReadonlyMap<string, Thread>): Thread {
  const { system = null, tools = [], thread } = body;
  const messages = recordsAt(body.messages, "messages");
  if (!isRecord(thread) || thread.type !== "continue") {
    return { system, tools, messages };
  }
  const before = kept.get(String(thread.previous_message_id));
  if (before === undefined) {
    throw new Refused("thread.previous_message_id: there is no such message", 404);
  }
  return { ...before, messages: [...before.messages, ...messages] };
}

function head(id: string, model: string) {
  const common = { id, type: "message", role: "assistant", model };
  return { ...common, stop_sequence: null, usage: USAGE };
}

function contentOf({ text, calls }: Turn): readonly Members[] {
  return [
    ...(text === "" ? [] : [{ type: "text", text, citations: null }]),
    ...calls.map((call) => ({ ...blockOf(call), input: inputOf(call) })),
  ];
}

function stopReason({ calls }: Turn): string {
  return calls.length === 0 ? "end_turn" : "tool_use";
}

function blockOf({ id, name }: AskedCall) {
  return { type: "tool_use", id, name, input: {} };
}

/** The input is an object here: the provider drops arguments that are not an object. */
function inputOf({ argumentsText }: AskedCall): object {
  try {
    const input: unknown = JSON.parse(argumentsText);
    return isRecord(input) ? input : {};
  } catch {
    return {};
  }
}

function blockEvents(index: number, content_block: object, text: string, key: string) {
  const type = key === "text" ? "text_delta" : "input_json_delta";
  return [
    { type: "content_block_start", index, content_block },
    ...inPieces(text).map((piece) => ({
      type: "content_block_delta",
      index,
      delta: { type, [key]: piece },
    })),
    { type: "content_block_stop", index },
  ];
}

function parseTools(tools: unknown): readonly OfferedTool[] {
  const offered: OfferedTool[] = [];
  for (const tool of recordsAt(tools ?? [], "tools")) {
    const parsed = offeredTool(tool.name, tool.input_schema, offered);
    const combined = ["oneOf", "allOf", "anyOf"].find((keyword) => keyword in parsed.parameters);
    if (combined !== undefined) {
      throw new Refused(`tools: input_schema does not support ${combined} at the top level`);
    }
    offered.push(parsed);
  }
  return offered;
}

function parseMessages(messages: readonly Members[]): Omit<Conversation, "tools"> {
  if (messages[0]?.role !== "user") {
    throw new Refused("messages: first message must use the user role");
  }
  const rounds = new Rounds(WORDS);
  for (const [index, { role, content }] of messages.entries()) {
    const where = `messages.${index}`;
    const blocks =
      typeof content === "string"
        ? [{ type: "text", text: content }]
        : recordsAt(content, `${where}.content`);
    if (role === "assistant") {
      rounds.begin(blocks.filter(({ type }) => type === "tool_use").map(parseCall));
    } else if (role === "user") {
      rounds.answers = parseAnswers(blocks, where);
      rounds.begin();
      const texts = blocks.filter(({ type }) => type === "text");
      rounds.questions.push(...texts.map(({ text }) => `${text}`));
    } else {
      throw new Refused(`${where}.role: Input should be 'user' or 'assistant'`);
    }
  }
  return rounds.finish();
}

const WORDS = {
  missing: (id: string) =>
    `messages: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${id}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  unasked: (id: string) =>
    `messages: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
};

function parseCall({ id, name, input }: Members): AskedCall {
  if (!isRecord(input)) {
    throw new Refused("messages: tool_use.input: Input should be a valid dictionary");
  }
  const argumentsText = JSON.stringify(input);
  return { id: stringAt(id, "tool_use.id"), name: stringAt(name, "tool_use.name"), argumentsText };
}

function parseAnswers(blocks: readonly Members[], where: string): ToolAnswer[] {
  const isResult = ({ type }: Members) => type === "tool_result";
  const results = blocks.filter(isResult);
  if (blocks.slice(0, results.length).some((block) => !isResult(block))) {
    throw new Refused(`${where}: \`tool_result\` blocks must come before all other content`);
  }
  return results.map((block) => {
    const text = textAt(block.content, `${where}.content`);
    if (block.is_error === true && text === "") {
      throw new Refused(`${where}: content cannot be empty if \`is_error\` is true`);
    }
    return { callId: stringAt(block.tool_use_id, `${where}.tool_use_id`), text };
  });
}
