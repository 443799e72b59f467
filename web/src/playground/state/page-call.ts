/** Makes a call, and shows on the timeline how it goes. */

import { signal } from "@preact/signals";
import type { RunOptions } from "../../client/method-options.ts";
import type { ToolResult } from "../../index.ts";
import { sentenceOf } from "../../ui/error-sentence.ts";
import type { CallText } from "../../ui/literals.ts";
import { wordProgress } from "../../ui/progress-words.ts";
import type { Marks } from "./marks.ts";
import type { MountedClient } from "./mounted-client.ts";
import type { Author, CallItem, CallStanding, Timeline } from "./timeline.ts";

export interface CallOptions {
  /** Names the turn, for the steps of its changes. */
  readonly group?: string;
  readonly signal?: AbortSignal;
  /** Makes the call, if it is one that a person approved; the client's `callTool` by default. */
  readonly run?: (limits: RunOptions) => Promise<ToolResult>;
}

/** The tree that a call runs on, and what learns from it. */
interface CallPlace {
  readonly session: MountedClient;
  readonly treeNumber: number;
  readonly timeline: Timeline;
  readonly marks: Marks;
  /** Resolves when the page knows the changes up to a version. */
  readonly catchUp: (version: number) => Promise<void>;
}

/** Resolves when the call has ended; its failure is its standing. */
export async function makeCall(
  { session, treeNumber, timeline, marks, catchUp }: CallPlace,
  call: CallText,
  by: Author,
  options: CallOptions,
): Promise<CallItem> {
  const controller = new AbortController();
  const standing = signal<CallStanding>({ kind: "running", amount: "" });
  const item: CallItem = timeline.add({
    kind: "call",
    by,
    ...call,
    treeNumber,
    treeName: session.choice?.name ?? "",
    startedAtMs: performance.now(),
    standing,
    isChosen: signal(false),
    stop: () => controller.abort(),
  } as const);
  const signals = [controller.signal, ...(options.signal === undefined ? [] : [options.signal])];
  const run = options.run ?? ((limits) => runTool(session, call, by, limits));
  try {
    const result = await run({
      signal: AbortSignal.any(signals),
      onProgress: (event) => {
        standing.value = { kind: "running", amount: wordProgress(event)?.amount ?? "" };
      },
      ...(call.maxOutputBytes === null ? {} : { maxOutputBytes: call.maxOutputBytes }),
      ...(options.group === undefined ? {} : { group: options.group }),
    });
    standing.value = { kind: "answered", result };
  } catch (error) {
    standing.value = signals.some(({ aborted }) => aborted)
      ? { kind: "stopped" }
      : { kind: "failed", sentence: sentenceOf(error) };
  }
  if (standing.value.kind === "answered") {
    // A change that the call has seen drops earlier marks, and not those of this call.
    await catchUp(versionAfter(item));
    marks.learn(call, standing.value.result);
  }
  return item;
}

/** Returns the number of the last step of the changes after a call; 0 without an answer. */
export function versionAfter({ standing: { value } }: CallItem): number {
  return value.kind === "answered" ? (value.result.version ?? 0) : 0;
}

/** Runs a call, for which a visitor's own call has its tool offered. */
async function runTool(session: MountedClient, call: CallText, by: Author, limits: RunOptions) {
  if (by === "you") {
    await session.offerTool(call.toolName);
  }
  // As text, so that the tool sees exactly the input: a repeated key, a number too large.
  return session.client.callTool(call.toolName, call.argumentsText, limits);
}
