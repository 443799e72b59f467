/** The shown conversation: asks the model, and records all events in transcript and view. */

import type { ProposedCall } from "../../adapters/approval.ts";
import type { CallEvent } from "../../adapters/toolset.ts";
import type { ToolClient } from "../../adapters/toolset-types.ts";
import { orAborted } from "../../lib/or-aborted.ts";
import { reportError } from "../../lib/report-error.ts";
import { sentenceOf } from "../../page-parts/error-sentence.ts";
import { formatCounted } from "../../page-parts/format-quantities.ts";
import { escapeJson } from "../../page-parts/hostile-characters.ts";
import type { ChosenTree } from "../chosen-tree.ts";
import { type LinkedTree, writeLink } from "../linked-tree.ts";
import type { ToolFamily } from "../tool-notes.ts";
import { type RunEnd, type RunListener, runAgent } from "./agent-loop.ts";
import type { AgentModel, RequestedCall } from "./agent-model.ts";
import type { CallCard } from "./call-card.ts";
import { findCall, toAbandonedEntry, toCallEntry } from "./call-log.ts";
import type { AskedModel } from "./model-form.ts";
import { toolsOf } from "./model-tools.ts";
import { writeSystemPrompt } from "./system-prompt.ts";
import { type NoticeKind, TRANSCRIPT_FORMAT, type TranscriptEntry } from "./transcript.ts";
import type { OpenTurn, TranscriptView } from "./transcript-view.ts";

/** The client, and the mounted tree. */
export interface OpenedTree {
  readonly client: ToolClient;
  /** The same object while the same tree is mounted; null if no tree is mounted. */
  readonly choice: ChosenTree | null;
  /** Returns what the person has decided about changes since the last time. */
  readonly takeNotes: () => Promise<readonly string[]>;
}

/** The services that a conversation needs from the panel. */
export interface ConversationHost {
  readonly view: TranscriptView;
  /** Waits for Python and for a running mount. */
  readonly openTree: (family: ToolFamily | undefined) => Promise<OpenedTree>;
  /** The question is in the transcript. */
  readonly onAsked: (question: string) => void;
  readonly approve: (call: ProposedCall) => boolean | Promise<boolean>;
  /** The transcript has grown; `sentence` is for screen readers, null if there is nothing to announce. */
  readonly onProgress: (sentence: string | null) => void;
}

/** A call of the current turn, with its card; the entry is null until the call ends. */
interface OpenCall {
  readonly call: RequestedCall;
  readonly card: CallCard;
  entry: ReturnType<typeof toCallEntry> | null;
}

/** Keeps the model between questions while model and tree stay the same. */
export class Conversation {
  readonly #host: ConversationHost;
  #entries: TranscriptEntry[] = [];
  #model: AgentModel | null = null;
  #modelIdentity = "";
  #choice: ChosenTree | null = null;
  #turn: OpenTurn | null = null;
  #openCalls: OpenCall[] = [];
  /** What no model has been told yet. */
  #notes: readonly string[] = [];

  constructor(host: ConversationHost) {
    this.#host = host;
  }

  get entries(): readonly TranscriptEntry[] {
    return this.#entries;
  }

  /** Replaces the transcript with an imported or an empty one; the next question begins a conversation. */
  replace(entries: readonly TranscriptEntry[]): void {
    this.#entries = [...entries];
    this.#dropModel();
  }

  /**
   * Asks a question and runs it to its end; never rejects.
   *
   * Resolves with whether the question is done; false if it failed or was stopped, and may be repeated.
   */
  async ask(asked: AskedModel, question: string, signal: AbortSignal): Promise<boolean> {
    const { settings } = asked;
    try {
      const opened = await orAborted(this.#host.openTree(asked.family), signal);
      this.#begin(asked, opened.choice);
      const note = asked.provider.name === "tour" ? null : await this.#takeNote(opened);
      this.#add({ type: "question", text: question });
      this.#host.view.addQuestion(question);
      this.#host.onAsked(question);
      this.#model ??= await orAborted(this.#open(asked, opened.client), signal);
      // A new key does not begin a new conversation.
      this.#model.useKey?.(settings.key);
      this.#model.ask(note === null ? question : `${note}\n\n${question}`);
      const isDone = this.#tellEnd(await runAgent(this.#model, this.#listener(), { signal }));
      this.#notes = isDone ? [] : this.#notes;
      return isDone;
    } catch (error) {
      if (signal.aborted) {
        return this.#tellEnd({ kind: "stopped" });
      }
      reportError(error);
      const sentence = `The question could not be asked: ${sentenceOf(error)}`;
      return this.#tellEnd({ kind: "failed", sentence });
    }
  }

  /** Returns the host's note for the model; null if the person has decided nothing. */
  async #takeNote({ takeNotes }: OpenedTree): Promise<string | null> {
    this.#notes = [...this.#notes, ...(await takeNotes())];
    if (this.#notes.length === 0) {
      return null;
    }
    const note = `Note of the host:\n${this.#notes.join("\n")}`;
    this.#notice("note", note);
    return note;
  }

  #dropModel(): void {
    this.#model?.close?.();
    this.#model = null;
    this.#modelIdentity = "";
  }

  #begin({ provider, settings, family }: AskedModel, choice: ChosenTree | null): void {
    const identity = JSON.stringify([provider.name, settings.address, settings.model, family]);
    const isSameModel = identity === this.#modelIdentity;
    if (isSameModel && choice === this.#choice) {
      return;
    }
    if (isSameModel) {
      this.#notice("tree", "Another tree is mounted now, so a new conversation begins.");
    }
    this.#dropModel();
    this.#modelIdentity = identity;
    this.#notes = choice === this.#choice ? this.#notes : [];
    this.#choice = choice;
    const entry = {
      type: "conversation",
      format: TRANSCRIPT_FORMAT,
      provider: provider.name,
      model: settings.model,
      // Without path and query, which may contain a key.
      origin: settings.address === "" ? null : new URL(settings.address).origin,
      tree: choice?.name ?? null,
      link: choice?.link === undefined ? null : spellLink(choice.link),
    } as const;
    this.#add(entry);
    this.#host.view.addConversation(entry);
  }

  #open({ provider, settings, family }: AskedModel, client: ToolClient): Promise<AgentModel> {
    return provider.create(settings, {
      client,
      systemPrompt: writeSystemPrompt({ mayChange: family !== undefined }),
      toolsetOptions: {
        ...(family === undefined ? {} : { allow: toolsOf(family) }),
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

  /** Adds the calls to the transcript in the order of the model's requests. */
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

  /** Reports the end of a run, and returns whether the question is done. */
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
      // No question yet: a transcript must begin with its conversation entry.
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

/** Returns the link as the fragment of an address of this page that mounts the same tree. */
function spellLink(link: LinkedTree): string {
  const parameters = new URLSearchParams();
  writeLink(link, parameters);
  return parameters.toString();
}

function wordCalls(calls: readonly RequestedCall[]): string {
  const names = [...new Set(calls.map(({ name }) => escapeJson(name)))].join(", ");
  return `The agent makes ${formatCounted(calls.length, "call")}: ${names}.`;
}
