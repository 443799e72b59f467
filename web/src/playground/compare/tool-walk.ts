/** One tool's answers about the compared directory, page after page. */

import { estimateTokens, sizeBytes } from "../../adapters/output-profile.ts";
import { renderJson } from "../../page-parts/json.ts";
import type { CallRecord, CallText } from "../call-record.ts";

export type MakeCall = (call: CallText, signal: AbortSignal) => Promise<CallRecord>;

/** The totals of all answers. */
export interface WalkTotals {
  readonly calls: number;
  readonly sizeBytes: number;
  readonly estimatedTokens: number;
  /** The tool's own time, in milliseconds. */
  readonly elapsedMs: number;
}

/** A limit on calls, so that a page that names itself as its next page cannot loop for ever. */
const MAX_CALLS = 2_000;

export class ToolWalk {
  readonly #first: CallText;
  readonly #makeCall: MakeCall;
  readonly #pages: CallRecord[] = [];
  #totals: WalkTotals = { calls: 0, sizeBytes: 0, estimatedTokens: 0, elapsedMs: 0 };

  constructor(first: CallText, makeCall: MakeCall) {
    this.#first = first;
    this.#makeCall = makeCall;
  }

  get pages(): readonly CallRecord[] {
    return this.#pages;
  }

  get totals(): WalkTotals {
    return this.#totals;
  }

  /** The next call; null after the last page and at the limit of calls. */
  get nextCall(): CallText | null {
    const last = this.#pages.at(-1);
    if (last === undefined) {
      return this.#first;
    }
    const { nextArguments } = last.result;
    return nextArguments === null || this.#pages.length >= MAX_CALLS
      ? null
      : { ...this.#first, argumentsText: renderJson(nextArguments) };
  }

  /** Makes the next call, if there is one; rejects if the call cannot be made. */
  async advance(signal: AbortSignal): Promise<void> {
    const call = this.nextCall;
    if (call === null) {
      return;
    }
    const record = await this.#makeCall(call, signal);
    this.#pages.push(record);
    const { content, elapsedMs } = record.result;
    const { calls, ...before } = this.#totals;
    this.#totals = {
      calls: calls + 1,
      sizeBytes: before.sizeBytes + sizeBytes(content),
      estimatedTokens: before.estimatedTokens + estimateTokens(content),
      elapsedMs: before.elapsedMs + elapsedMs,
    };
  }
}

/** Returns the arguments of the next call that differ from the last call's, as JSON. */
export function renderChange(last: CallText, next: CallText): string {
  const before: unknown = parse(last.argumentsText);
  const after: unknown = parse(next.argumentsText);
  const known = new Map(before instanceof Object ? Object.entries(before) : []);
  const changed = Object.entries(after instanceof Object ? after : {}).filter(
    ([name, value]) => JSON.stringify(known.get(name)) !== JSON.stringify(value),
  );
  return JSON.stringify(Object.fromEntries(changed));
}

function parse(text: string): unknown {
  return JSON.parse(text);
}
