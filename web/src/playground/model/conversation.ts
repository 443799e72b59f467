/** A model's conversation about one tree: asks, and puts all that happens on the timeline. */

import type { Signal } from "@preact/signals";
import type { CallEvent, ProposedCall } from "../../adapters/toolset.ts";
import { orAborted } from "../../lib/promises.ts";
import { reportError } from "../../lib/report-error.ts";
import { sentenceOf } from "../../ui/error-sentence.ts";
import { escapeJson } from "../../ui/hostile-characters.ts";
import { toolsFor, writeSystemPrompt } from "../model-tools.ts";
import { writeLink } from "../state/linked-tree.ts";
import type { MountedTree, PageState } from "../state/page-state.ts";
import { type RunEnd, type RunListener, runAgent, STOPPED } from "./agent-loop.ts";
import { type ChatModel, createChatModel } from "./chat-model.ts";
import { GrowingText } from "./growing-text.ts";
import type { ChosenModel, ModelSettings } from "./model-settings.ts";
import { askPerson, timelineClient } from "./timeline-client.ts";
import {
  type NoticeKind,
  TRANSCRIPT_FORMAT,
  type TranscriptEntry,
  toCallEntry,
} from "./transcript/transcript.ts";
import { addUsage, NO_USAGE, type UsageTotals } from "./usage.ts";

/** The panel that a conversation belongs to, and fills. */
interface Panel {
  readonly page: PageState;
  readonly settings: ModelSettings;
  readonly entries: Signal<readonly TranscriptEntry[]>;
  readonly usage: Signal<UsageTotals>;
}

export interface RunFigures {
  turns: number;
  calls: number;
  errors: number;
  elapsedMs: number;
  answer: string;
  /** False if the question failed or was stopped, so that it can be asked again. */
  isDone: boolean;
}

export class Conversation {
  readonly #panel: Panel;
  #model: ChatModel | null = null;
  #identity = "";
  #tree: MountedTree | null = null;
  #questionCount = 0;
  #figures = noFigures();
  /** The notes that no model has been told yet. */
  #notes: readonly string[] = [];
  #usage = NO_USAGE;

  constructor(panel: Panel) {
    this.#panel = panel;
  }

  /** Asks a question and runs it to its end; never rejects. */
  async ask(chosen: ChosenModel, question: string, signal: AbortSignal): Promise<RunFigures> {
    const startedMs = performance.now();
    this.#figures = noFigures();
    this.#questionCount += 1;
    const { kind, sentence } = await this.#run(chosen, question, signal);
    if (kind !== "answered") {
      this.#notice(kind, sentence);
    }
    const isDone = kind !== "stopped" && kind !== "failed";
    this.#notes = isDone ? [] : this.#notes;
    return { ...this.#figures, isDone, elapsedMs: performance.now() - startedMs };
  }

  async #run(chosen: ChosenModel, question: string, signal: AbortSignal): Promise<RunEnd> {
    const { page } = this.#panel;
    try {
      await orAborted(page.settled(), signal);
      // Forge's own reading tool comes with those of its tools that change.
      const needsEditing = chosen.mayChange || chosen.family === "Forge";
      page.turnFamily.value = needsEditing ? chosen.family : undefined;
      await orAborted(page.offerEditing(page.turnFamily.value), signal);
      this.#begin(chosen);
      // Only a model that may propose is told what became of the proposals.
      const note = chosen.mayChange ? await this.#takeNote() : null;
      this.#record({ type: "question", text: question });
      page.timeline.addText("question", "you", question);
      this.#model ??= await orAborted(this.#open(chosen), signal);
      this.#model.ask(note === null ? question : `${note}\n\n${question}`, chosen.key);
      const { version } = page.changes.value;
      const end = await runAgent(this.#model, this.#listener(), signal);
      if (chosen.mayChange) {
        await this.#showReview(version);
      }
      return end;
    } catch (error) {
      if (signal.aborted) {
        return STOPPED;
      }
      reportError(error);
      const sentence = `The question could not be asked: ${sentenceOf(error)}`;
      return { kind: "failed", sentence };
    } finally {
      page.turnFamily.value = undefined;
    }
  }

  /** Ends a turn with the review, if it has proposed something since that version. */
  async #showReview(version: number): Promise<void> {
    const { page } = this.#panel;
    await page.refreshChanges();
    if (page.changes.value.version !== version) {
      page.showReview("model");
    }
  }

  /** Begins anew for another model, other tools or another tree. */
  #begin({ preset, address, model, family, mayChange }: ChosenModel): void {
    const tree = this.#panel.page.tree.value;
    const link = tree?.choice.link;
    const identity = JSON.stringify([preset.name, address, model, family, mayChange]);
    if (identity === this.#identity && tree === this.#tree) {
      return;
    }
    this.#model = null;
    this.#notes = tree === this.#tree ? this.#notes : [];
    this.#count(NO_USAGE);
    [this.#identity, this.#tree] = [identity, tree];
    this.#record({
      type: "conversation",
      format: TRANSCRIPT_FORMAT,
      model,
      // Without path and query, which may contain a key.
      origin: new URL(address).origin,
      tree: tree?.choice.name ?? null,
      link: link === undefined ? null : writeLink(link).toString(),
    });
  }

  /** Returns what the person has decided about changes, for the model; null if nothing. */
  async #takeNote(): Promise<string | null> {
    const client = await this.#panel.page.client();
    this.#notes = [...this.#notes, ...(await client.takeNotes())];
    if (this.#notes.length === 0) {
      return null;
    }
    const note = `Note of the host:\n${this.#notes.join("\n")}`;
    this.#notice("note", note);
    return note;
  }

  async #open(chosen: ChosenModel): Promise<ChatModel> {
    const { page, settings } = this.#panel;
    const { family, mayChange, model } = chosen;
    const context = {
      client: await timelineClient(page, () => `turn ${this.#questionCount}`),
      systemPrompt: writeSystemPrompt(mayChange),
      toolsetOptions: {
        allow: toolsFor(family, mayChange),
        approve: (call: ProposedCall) =>
          settings.values.value.asksFirst === "" || askPerson(page, call),
        onCall: (event: CallEvent) => this.#finishCall(event),
      },
    };
    return createChatModel(chosen, model, context, (usage) =>
      this.#count(addUsage(this.#usage, usage)),
    );
  }

  #listener(): RunListener {
    const { timeline } = this.#panel.page;
    let growing = new GrowingText(timeline);
    return {
      onText: (delta) => growing.add(delta),
      onRetry: (sentence) => this.#notice("retry", sentence),
      onTurnEnded: ({ text, calls, isWhole, elapsedMs }) => {
        growing.show();
        growing = new GrowingText(timeline);
        this.#figures.turns += 1;
        this.#figures.answer = text;
        this.#record({ type: "turn", text, callCount: calls.length, isWhole, elapsedMs });
      },
    };
  }

  #finishCall(event: CallEvent): void {
    this.#record(toCallEntry(event));
    this.#figures.calls += 1;
    this.#figures.errors += event.isError && event.outcome !== "aborted" ? 1 : 0;
    if (event.outcome === "unknown") {
      // The tools never see such a call, so the timeline would not show it.
      const text = `The model called ${escapeJson(event.name)}, and was told: ${event.text}`;
      this.#panel.page.timeline.addText("note", "model", text);
    }
  }

  #notice(kind: NoticeKind, text: string): void {
    const { page } = this.#panel;
    this.#record({ type: "notice", kind, text });
    // A tree that was mounted meanwhile has its own timeline.
    if (page.tree.value === this.#tree) {
      const isProblem = kind === "failed" || kind === "cut" || kind === "max-turns";
      page.timeline.addText(isProblem ? "problem" : "note", "model", text);
    }
  }

  /** Keeps its own sums too, since the panel may ask in another conversation between. */
  #count(totals: UsageTotals): void {
    this.#usage = totals;
    this.#panel.usage.value = totals;
  }

  #record(entry: TranscriptEntry): void {
    const { entries } = this.#panel;
    entries.value = [...entries.value, entry];
  }
}

function noFigures(): RunFigures {
  return { turns: 0, calls: 0, errors: 0, elapsedMs: 0, answer: "", isDone: false };
}
