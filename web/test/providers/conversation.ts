/** A conversation without the details of a provider's protocol, and the model's next turn. */
import type { JsonSchema } from "../../src/protocol/tools.ts";

/** A tool call of the model. */
export interface AskedCall {
  readonly id: string;
  readonly name: string;
  /** As the model wrote them, perhaps invalid JSON. */
  readonly argumentsText: string;
}

/** The host's answer to a call. */
export interface ToolAnswer {
  readonly callId: string;
  readonly text: string;
}

/** A turn of the model, and the host's answers to its calls. */
export interface Round {
  readonly calls: readonly AskedCall[];
  readonly answers: readonly ToolAnswer[];
}

export interface OfferedTool {
  readonly name: string;
  readonly parameters: JsonSchema;
}

/** The content of a request, for the model. */
export interface Conversation {
  /** The texts of the person and of the system, one after the other. */
  readonly question: string;
  readonly tools: readonly OfferedTool[];
  readonly rounds: readonly Round[];
}

/** The model's next turn; with calls, it waits for their answers. */
export interface Turn {
  readonly text: string;
  readonly calls: readonly AskedCall[];
}

/** Thrown if a provider answers with an error instead of a turn. */
export class Refused extends Error {
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

/** An event of a stream: its data, and its name if the protocol has names. */
export interface StreamEvent {
  readonly event: string | null;
  readonly data: object | "[DONE]";
}

/** One provider's way to read and write a conversation. */
export interface Protocol {
  /** Reads a request; throws `Refused` if the provider would not accept it. */
  parse(body: Readonly<Record<string, unknown>>): Conversation;
  render(turn: Turn, model: string): object;
  stream(turn: Turn, model: string): readonly StreamEvent[];
  error(status: number, message: string): object;
}

/** Cuts a text as a stream would, after so few characters that no argument stays whole. */
export function inPieces(text: string): readonly string[] {
  return text.match(/.{1,9}/gsu) ?? [];
}
