/** A conversation as every provider's protocol tells it, and the model's next turn. */
import type { JsonSchema } from "../../src/protocol/tools.ts";

/** A call that the model asks for. */
export interface AskedCall {
  readonly id: string;
  readonly name: string;
  /** As the model wrote them: perhaps no JSON. */
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

/** All that a request tells the model. */
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

/** A provider's answer instead of a turn. */
export class Refused extends Error {
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

/** An event of a stream: its name, if the protocol has one, and its data. */
export interface StreamEvent {
  readonly event: string | null;
  readonly data: object | "[DONE]";
}

/** How one provider says all this. */
export interface Protocol {
  /** Reads a request; throws `Refused` for one that the provider would refuse. */
  parse(body: Readonly<Record<string, unknown>>): Conversation;
  render(turn: Turn, model: string): object;
  stream(turn: Turn, model: string): readonly StreamEvent[];
  error(status: number, message: string): object;
}

/** Cuts a text where a stream would: after so few characters that no argument stays whole. */
export function inPieces(text: string): readonly string[] {
  return text.match(/.{1,9}/gsu) ?? [];
}
