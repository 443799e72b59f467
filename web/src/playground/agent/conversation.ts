/** The conversation on show: asks the model, and puts what happens into transcript and view. */

import type { ProposedCall } from "../../adapters/approval.ts";
import type { ToolClient } from "../../adapters/tool-client.ts";
import type { CallEvent } from "../../adapters/toolset.ts";
import { orAborted } from "../../lib/or-aborted.ts";
import { reportError } from "../../lib/report-error.ts";
import { sentenceOf } from "../../page-parts/error-sentence.ts";
import { formatCounted } from "../../page-parts/format-quantities.ts";
import { escapeJson } from "../../page-parts/hostile-characters.ts";
import type { ChosenTree } from "../chosen-tree.ts";
import { type LinkedTree, writeLink } from "../linked-tree.ts";
import { type RunEnd, type RunListener, runAgent } from "./agent-loop.ts";
import type { AgentModel, ModelSettings, RequestedCall } from "./agent-model.ts";
import type { CallCard } from "./call-card.ts";
import { findCall, toAbandonedEntry, toCallEntry } from "./call-log.ts";
import type { Provider } from "./providers.ts";
import { writeSystemPrompt } from "./system-prompt.ts";
import { type NoticeKind, TRANSCRIPT_FORMAT, type TranscriptEntry } from "./transcript.ts";
import type { OpenTurn, TranscriptView } from "./transcript-view.ts";

/** The tools, and what they are run on. */
export interface OpenedTree {
  readonly client: ToolClient;
  /** The same object as long as the same tree is mounted; null for none. */
  readonly choice: ChosenTree | null;
}

/** What a conversation needs of the panel. */
export interface ConversationHost {
  readonly view: TranscriptView;
  /** Waits for Python and for the mount that is under way. */
  readonly openTree: () => Promise<OpenedTree>;
  /** The question stands in the transcript. */
  readonly onAsked: (question: string) => void;
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

/** Keeps the model between questions, as long as the same one is asked about the same tree. */
export class Conversation {
  readonly #host: ConversationHost;
  #entries: TranscriptEntry[] = [];
  #model: AgentModel | null = null;
  #modelIdentity = "";
  #choice: ChosenTree | null = null;
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
    this.#dropModel();
  }

  /**
   * Asks a question and follows it to its end, whatever that is; never rejects.
   *
   * Tells whether the question is done with: one that failed or was stopped may be asked again.
   */
  async ask(
    provider: Provider,
    settings: ModelSettings,
    question: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    try {
      const opened = await orAborted(this.#host.openTree(), signal);
      this.#begin(provider, settings, opened.choice);
      this.#add({ type: "question", text: question });
      this.#host.view.addQuestion(question);
      this.#host.onAsked(question);
      this.#model ??= await orAborted(this.#open(provider, settings, opened.client), signal);
      // Another key does not begin another conversation.
      this.#model.useKey?.(settings.key);
      this.#model.ask(question);
      return this.#tellEnd(await runAgent(this.#model, this.#listener(), { signal }));
    } catch (error) {
      if (signal.aborted) {
        return this.#tellEnd({ kind: "stopped" });
      }
      reportError(error);
      const sentence = `The question could not be asked: ${sentenceOf(error)}`;
      return this.#tellEnd({ kind: "failed", sentence });
    }
  }

  #dropModel(): void {
    this.#model?.close?.();
    this.#model = null;
    this.#modelIdentity = "";
  }

  #begin(provider: Provider, settings: ModelSettings, choice: ChosenTree | null): void {
    const identity = JSON.stringify([provider.name, settings.address, settings.model]);
    const isSameModel = identity === this.#modelIdentity;
    if (isSameModel && choice === this.#choice) {
      return;
    }
    if (isSameModel) {
      this.#notice("tree", "Another tree is mounted now, so a new conversation begins.");
    }
    this.#dropModel();
    this.#modelIdentity = identity;
    this.#choice = choice;
    const entry = {
      type: "conversation",
      format: TRANSCRIPT_FORMAT,
      provider: provider.name,
      model: settings.model,
      // Without path and query: some put a key there.
      origin: settings.address === "" ? null : new URL(settings.address).origin,
      tree: choice?.name ?? null,
      link: choice?.link === undefined ? null : spellLink(choice.link),
    } as const;
    this.#add(entry);
    this.#host.view.addConversation(entry);
  }

  #open(provider: Provider, settings: ModelSettings, client: ToolClient): Promise<AgentModel> {
    return provider.create(settings, {
      client,
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

  /** Tells whether the question is done with. */
  #tellEnd(end: RunEnd): boolean {
    switch (end.kind) {
      case "answered":
        this.#host.onProgress("The agent has answered.");
        return true;
      case "cut":
        this.#notice("cut", end.sentence);
        return true;
      case "stopped":
        this.#notice("stopped", "Stopped. A new question goes on from here.");
        return false;
      case "max-turns":
        this.#notice(
          "max-turns",
          `The agent was stopped after ${end.maxTurns} turns. Tell it to go on, or ask for less.`,
        );
        return true;
      case "failed":
        this.#notice("failed", end.sentence);
        return false;
    }
  }

  #notice(kind: NoticeKind, text: string): void {
    if (this.#entries.length === 0) {
      // Nothing was asked yet, and a transcript begins with its conversation.
      this.#host.onProgress(text);
      return;
    }
    const entry = { type: "notice", kind, text } as const;
    this.#add(entry);
    this.#host.view.addNotice(entry);
    this.#host.onProgress(text);
  }

  #add(entry: TranscriptEntry): void {
    this.#entries.push(entry);
  }
}

/** As the fragment of the page's address, which mounts the same tree again. */
function spellLink(link: LinkedTree): string {
  const parameters = new URLSearchParams();
  writeLink(link, parameters);
  return parameters.toString();
}

function wordCalls(calls: readonly RequestedCall[]): string {
  const names = [...new Set(calls.map(({ name }) => escapeJson(name)))].join(", ");
  return `The agent makes ${formatCounted(calls.length, "call")}: ${names}.`;
}
