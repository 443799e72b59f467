/** The conversation on show: asks the model, and puts what happens into transcript and view. */

import type { ProposedCall } from "../../adapters/approval.ts";
import type { ToolClient } from "../../adapters/tool-client.ts";
import type { CallEvent } from "../../adapters/toolset.ts";
import { formatCounted } from "../format-quantities.ts";
import { escapeJson } from "../hostile-characters.ts";
import { type RunEnd, type RunListener, runAgent } from "./agent-loop.ts";
import type { AgentModel, RequestedCall } from "./agent-model.ts";
import type { CallCard } from "./call-card.ts";
import { findCall, toAbandonedEntry, toCallEntry } from "./call-log.ts";
import type { ModelSettings, Provider } from "./providers.ts";
import { writeSystemPrompt } from "./system-prompt.ts";
import { type NoticeKind, TRANSCRIPT_FORMAT, type TranscriptEntry } from "./transcript.ts";
import type { OpenTurn, TranscriptView } from "./transcript-view.ts";

/** What a conversation needs of the panel. */
export interface ConversationHost {
  readonly view: TranscriptView;
  readonly openClient: () => Promise<ToolClient>;
  readonly approve: (call: ProposedCall) => boolean | Promise<boolean>;
  /** Something was added; `sentence` is for who does not see it, null where it is of no weight. */
  readonly onProgress: (sentence: string | null) => void;
}

/** A call of the present turn, with its card; the entry is null until it is over. */
interface OpenCall {
  readonly call: RequestedCall;
  readonly card: CallCard;
  entry: ReturnType<typeof toCallEntry> | null;
}

/** Keeps the model between questions, as long as the same one is asked. */
export class Conversation {
  readonly #host: ConversationHost;
  #entries: TranscriptEntry[] = [];
  #model: AgentModel | null = null;
  #modelIdentity = "";
  #turn: OpenTurn | null = null;
  #openCalls: OpenCall[] = [];

  constructor(host: ConversationHost) {
    this.#host = host;
  }

  get entries(): readonly TranscriptEntry[] {
    return this.#entries;
  }

  /** Begins anew, with what somebody has imported or with nothing. */
  replace(entries: readonly TranscriptEntry[]): void {
    this.#entries = [...entries];
    this.#model = null;
    this.#modelIdentity = "";
  }

  /** Asks a question and follows it to its end, whatever that is; never rejects. */
  async ask(
    provider: Provider,
    settings: ModelSettings,
    question: string,
    signal: AbortSignal,
  ): Promise<void> {
    this.#begin(provider, settings);
    this.#add({ type: "question", text: question });
    this.#host.view.addQuestion(question);
    this.#host.onProgress(null);
    try {
      this.#model ??= await this.#open(provider, settings);
      signal.throwIfAborted();
      this.#model.ask(question);
      this.#tellEnd(await runAgent(this.#model, this.#listener(), { signal }));
    } catch (error) {
      if (signal.aborted) {
        this.#notice("stopped", "Stopped.");
        return;
      }
      globalThis.reportError?.(error);
      const why = error instanceof Error ? error.message : String(error);
      this.#notice("failed", `The question could not be asked: ${why}`);
    }
  }

  #begin(provider: Provider, settings: ModelSettings): void {
    const identity = JSON.stringify([
      provider.name,
      settings.address,
      settings.model,
      settings.key,
    ]);
    if (identity === this.#modelIdentity) {
      return;
    }
    this.#modelIdentity = identity;
    this.#model = null;
    const entry = {
      type: "conversation",
      format: TRANSCRIPT_FORMAT,
      provider: provider.name,
      model: settings.model,
      // Without path and query: some put a key there.
      origin: settings.address === "" ? null : new URL(settings.address).origin,
    } as const;
    this.#add(entry);
    this.#host.view.addConversation(entry);
  }

  async #open(provider: Provider, settings: ModelSettings): Promise<AgentModel> {
    return provider.create(settings, {
      client: await this.#host.openClient(),
      systemPrompt: writeSystemPrompt(),
      toolsetOptions: {
        approve: (call) => this.#host.approve(call),
        onCall: (event) => this.#finishCall(event),
      },
    });
  }

  #listener(): RunListener {
    return {
      onTurnBegun: () => {
        this.#turn = this.#host.view.openTurn();
      },
      onText: (delta) => this.#turn?.append(delta),
      onRetry: (sentence) => this.#notice("retry", sentence),
      onTurnEnded: ({ text, calls, isWhole, elapsedMs }) => {
        const turn = { text, callCount: calls.length, isWhole, elapsedMs };
        this.#turn?.end(turn);
        this.#turn = null;
        this.#add({ type: "turn", ...turn });
        this.#openCalls = calls.map((call) => {
          return { call, card: this.#host.view.addCall(call), entry: null };
        });
        this.#host.onProgress(calls.length === 0 ? null : wordCalls(calls));
      },
      onCallsEnded: () => this.#closeCalls(),
    };
  }

  #finishCall(event: CallEvent): void {
    const waiting = this.#openCalls.filter(({ entry }) => entry === null);
    const open =
      waiting[
        findCall(
          waiting.map(({ call }) => call),
          event,
        )
      ];
    if (open !== undefined) {
      open.entry = toCallEntry(event);
      this.#finishCard(open.card, open.entry);
    }
  }

  /** Puts the calls into the transcript in the order in which the model asked for them. */
  #closeCalls(): void {
    for (const { call, card, entry } of this.#openCalls) {
      const kept = entry ?? toAbandonedEntry(call);
      if (entry === null) {
        this.#finishCard(card, kept);
      }
      this.#add(kept);
    }
    this.#openCalls = [];
    this.#host.onProgress(null);
  }

  #finishCard(card: CallCard, entry: ReturnType<typeof toCallEntry>): void {
    this.#host.view.keepEndInSight(() => card.finish(entry));
  }

  #tellEnd(end: RunEnd): void {
    switch (end.kind) {
      case "answered":
        this.#host.onProgress("The agent has answered.");
        return;
      case "stopped":
        this.#notice("stopped", "Stopped. A new question goes on from here.");
        return;
      case "max-turns":
        this.#notice(
          "max-turns",
          `The agent was stopped after ${end.maxTurns} turns. Tell it to go on, or ask for less.`,
        );
        return;
      case "failed":
        this.#notice("failed", end.sentence);
    }
  }

  #notice(kind: NoticeKind, text: string): void {
    const entry = { type: "notice", kind, text } as const;
    this.#add(entry);
    this.#host.view.addNotice(entry);
    this.#host.onProgress(text);
  }

  #add(entry: TranscriptEntry): void {
    this.#entries.push(entry);
  }
}

function wordCalls(calls: readonly RequestedCall[]): string {
  const names = [...new Set(calls.map(({ name }) => escapeJson(name)))].join(", ");
  return `The agent makes ${formatCounted(calls.length, "call")}: ${names}.`;
}
