/** Joins the parts of a streamed answer: its text, its calls, and what the server counted. */

import { isCount, isRecord } from "../../lib/checks.ts";

/** A call as the message has it that repeats it to the server. */
export interface WireCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { name: string; arguments: string };
  /** Data that the server wants back with the call, such as Gemini's signature of its thoughts. */
  extra_content?: unknown;
}

/** The tokens of one request, as the server counted them. */
export interface Usage {
  readonly sentTokens: number;
  readonly receivedTokens: number;
}

/** Lists the cuts and not the ordinary ends, since servers have many words for an ordinary end. */
const CUT_REASONS: readonly unknown[] = ["length", "content_filter"];

/** Takes the parts in their order, each as parsed JSON; a whole answer is one part. */
export class StreamedReply {
  readonly calls: WireCall[] = [];
  text = "";
  /** True if the server has said that the answer is at its end. */
  isEnded = false;
  /** The server's word for an early end; null if there was none. */
  cutReason: string | null = null;
  /** Null if the server did not count. */
  usage: Usage | null = null;
  /** The latest call per index; some servers give every call the index 0, and some begin at 1. */
  readonly #current = new Map<unknown, WireCall>();

  add(part: unknown): string {
    if (!isRecord(part)) {
      return "";
    }
    this.usage = readUsage(part.usage) ?? this.usage;
    const [choice] = Array.isArray(part.choices) ? part.choices : [];
    if (!isRecord(choice)) {
      return "";
    }
    const reason = choice.finish_reason;
    if (typeof reason === "string" && reason !== "") {
      this.isEnded = true;
      this.cutReason ??= CUT_REASONS.includes(reason) ? reason : null;
    }
    const delta = choice.delta ?? choice.message;
    if (!isRecord(delta)) {
      return "";
    }
    for (const call of Array.isArray(delta.tool_calls) ? delta.tool_calls : []) {
      this.#addCall(call);
    }
    const text = textOf(delta.content) || textOf(delta.refusal);
    this.text += text;
    return text;
  }

  #addCall(part: unknown): void {
    if (!isRecord(part)) {
      return;
    }
    const index = part.index ?? this.calls.length;
    const described = isRecord(part.function) ? part.function : {};
    const [id, name] = [textOf(part.id), textOf(described.name)];
    const current = this.#current.get(index);
    const isNext = id !== "" && name !== "" && current?.id !== id;
    const call = current === undefined || isNext ? this.#begin(index, id) : current;
    call.function.name ||= name;
    call.function.arguments += textOf(described.arguments);
    if (part.extra_content !== undefined) {
      call.extra_content = part.extra_content;
    }
  }

  #begin(index: unknown, id: string): WireCall {
    const call: WireCall = {
      id: id || `call-${this.calls.length}`,
      type: "function",
      function: { name: "", arguments: "" },
    };
    this.#current.set(index, call);
    this.calls.push(call);
    return call;
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function readUsage(usage: unknown): Usage | null {
  if (!isRecord(usage)) {
    return null;
  }
  const { prompt_tokens: sentTokens, completion_tokens: receivedTokens } = usage;
  return isCount(sentTokens) && isCount(receivedTokens) ? { sentTokens, receivedTokens } : null;
}
