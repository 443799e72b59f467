/** OpenAI's Responses, with the answers that it keeps for `previous_response_id`. */
import {
  type Conversation,
  inPieces,
  type OfferedTool,
  type Protocol,
  Refused,
  type StreamEvent,
  type Turn,
} from "./conversation.ts";
import { openAiError } from "./openai-chat.ts";
import { offeredTool, Rounds, recordsAt, stringAt, textAt } from "./request-shape.ts";
import { requireStrict } from "./strict-schema.ts";

type Item = Readonly<Record<string, unknown>>;

type Event = Item & { readonly type: string };

const CREATED_AT = 1_760_000_000;
const USAGE = {
  input_tokens: 1,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 1,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 2,
};

/** Returns a provider that remembers its own answers. */
export function openAiResponses(): Protocol {
  const kept = new Map<string, readonly Item[]>();
  let made = 0;
  let input: readonly Item[] = [];
  const respond = (turn: Turn, model: string) => {
    made += 1;
    const id = `resp_${made}`;
    const output = renderItems(turn);
    kept.set(id, [...input, ...output]);
    return { ...head(id, model), status: "completed", output, usage: USAGE };
  };
  return {
    parse(body) {
      const { previous_response_id: previous = null } = body;
      const before = previous === null ? [] : kept.get(String(previous));
      if (before === undefined) {
        throw new Refused(`Previous response with id '${previous}' not found.`);
      }
      input = [...before, ...parseInput(body.input)];
      return { ...parseItems(input), tools: parseTools(body.tools) };
    },
    render: respond,
    stream(turn, model) {
      const whole = respond(turn, model);
      const begun = { ...whole, status: "in_progress", output: [], usage: null };
      const events = [
        { type: "response.created", response: begun },
        { type: "response.in_progress", response: begun },
        ...whole.output.flatMap((item, index) => itemEvents(item, index)),
        { type: "response.completed", response: whole },
      ];
      return events.map(
        (data, sequence_number): StreamEvent => ({
          event: data.type,
          data: { ...data, sequence_number },
        }),
      );
    },
    error: openAiError,
  };
}

function head(id: string, model: string) {
  return {
    id,
    object: "response",
    created_at: CREATED_AT,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    model,
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: "auto",
    tools: [],
    top_p: 1,
  };
}

function renderItems({ text, calls }: Turn): readonly Item[] {
  const message = {
    type: "message",
    id: "msg_1",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text, annotations: [], logprobs: [] }],
  };
  const asked = calls.map(({ id, name, argumentsText }, index) => ({
    type: "function_call",
    id: `fc_${index + 1}`,
    call_id: id,
    name,
    arguments: argumentsText,
    status: "completed",
  }));
  return [...(text === "" ? [] : [message]), ...asked];
}

function itemEvents(item: Item, output_index: number): readonly Event[] {
  const place = { item_id: item.id, output_index };
  const added = (begun: Item) => ({
    type: "response.output_item.added",
    output_index,
    item: { ...begun, status: "in_progress" },
  });
  const done = { type: "response.output_item.done", output_index, item };
  if (item.type === "function_call") {
    const text = String(item.arguments);
    return [
      added({ ...item, arguments: "" }),
      ...inPieces(text).map((delta) => ({
        type: "response.function_call_arguments.delta",
        ...place,
        delta,
      })),
      {
        type: "response.function_call_arguments.done",
        ...place,
        name: item.name,
        arguments: text,
      },
      done,
    ];
  }
  const [part] = recordsAt(item.content, "content");
  const inPart = { ...place, content_index: 0 };
  const text = String(part?.text);
  return [
    added({ ...item, content: [] }),
    { type: "response.content_part.added", ...inPart, part: { ...part, text: "" } },
    ...inPieces(text).map((delta) => ({
      type: "response.output_text.delta",
      ...inPart,
      delta,
      logprobs: [],
    })),
    { type: "response.output_text.done", ...inPart, text, logprobs: [] },
    { type: "response.content_part.done", ...inPart, part },
    done,
  ];
}

function parseTools(tools: unknown): readonly OfferedTool[] {
  const offered: OfferedTool[] = [];
  for (const tool of recordsAt(tools ?? [], "tools")) {
    const parsed = offeredTool(tool.name, tool.parameters, offered);
    if (tool.strict !== false) {
      requireStrict(parsed.name, parsed.parameters);
    }
    offered.push(parsed);
  }
  return offered;
}

function parseInput(input: unknown): readonly Item[] {
  return typeof input === "string"
    ? [{ role: "user", content: input }]
    : recordsAt(input ?? [], "input");
}

function parseItems(items: readonly Item[]): Omit<Conversation, "tools"> {
  const rounds = new Rounds(WORDS);
  for (const [index, item] of items.entries()) {
    const where = `input[${index}]`;
    if (item.type === "function_call") {
      if (rounds.answers.length > 0) {
        rounds.begin();
      }
      rounds.calls.push({
        id: stringAt(item.call_id, `${where}.call_id`),
        name: stringAt(item.name, `${where}.name`),
        argumentsText: stringAt(item.arguments, `${where}.arguments`),
      });
    } else if (item.type === "function_call_output") {
      const callId = stringAt(item.call_id, `${where}.call_id`);
      if (item.output === undefined) {
        throw new Refused(`Missing required parameter: '${where}.output'.`);
      }
      rounds.answers.push({ callId, text: textAt(item.output, `${where}.output`) });
    } else if (item.type === undefined || item.type === "message") {
      rounds.begin();
      if (item.role !== "assistant") {
        rounds.questions.push(textAt(item.content, `${where}.content`));
      }
    }
  }
  return rounds.finish();
}

const WORDS = {
  missing: (id: string) => `No tool output found for function call ${id}.`,
  unasked: (id: string) => `No tool call found for function call output with call_id ${id}.`,
};
