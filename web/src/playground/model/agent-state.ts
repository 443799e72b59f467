/** The state of the model's panel: the question, the transcript, and the run that is on. */

import { effect, signal, untracked } from "@preact/signals";
import { orAborted } from "../../lib/promises.ts";
import { reportError } from "../../lib/report-error.ts";
import { sentenceOf } from "../../ui/error-sentence.ts";
import { formatMs } from "../../ui/format-quantities.ts";
import type { PageState } from "../state/page-state.ts";
import { ChatWire } from "./chat-wire.ts";
import { Conversation, type RunFigures } from "./conversation.ts";
import { ModelFailure, quoteDetail } from "./model-failure.ts";
import { type ChosenModel, ModelSettings } from "./model-settings.ts";
import { timelineClient } from "./timeline-client.ts";
import type { Report } from "./transcript/as-markdown.ts";
import { type ReplayedCall, replayCalls } from "./transcript/replay.ts";
import { type TranscriptEntry, TranscriptInvalid } from "./transcript/transcript.ts";
import { formatTokens, NO_USAGE, type UsageTotals } from "./usage.ts";

const TEST = {
  messages: [{ role: "user", content: "Answer with one word: ready" }],
  tools: [
    {
      type: "function",
      function: {
        name: "say",
        description: "Says a word. Do not call it.",
        parameters: { type: "object", properties: { word: { type: "string" } } },
      },
    },
  ],
};

export class AgentState {
  readonly settings = new ModelSettings();
  readonly question = signal("");
  /** Why the question was not asked; empty if it was. */
  readonly problem = signal("");
  readonly entries = signal<readonly TranscriptEntry[]>([]);
  readonly usage = signal(NO_USAGE);
  readonly isRunning = signal(false);
  /** The words that a screen reader speaks of the model's work; a failure has its own. */
  readonly spoken = signal("");
  /** The table that the dialog shows; null while it is closed. */
  readonly report = signal<Report | null>(null);
  readonly models = signal<readonly string[]>([]);
  readonly checked = signal("");
  readonly page: PageState;
  #conversation: Conversation;
  #running: AbortController | null = null;

  constructor(page: PageState) {
    this.page = page;
    this.#conversation = new Conversation(this);
    // A question is about one tree.
    effect(() => {
      page.tree.value;
      untracked(() => this.stop());
      this.spoken.value = "";
    });
  }

  stop(): void {
    this.#running?.abort();
  }

  /** Asks the question in the field; resolves when the answer is there. */
  ask(): Promise<void> {
    return this.#ask(async (chosen, question, signal) => {
      const { isDone } = await this.#conversation.ask(chosen, question, signal);
      return isDone;
    });
  }

  /** Asks the question twice, each time in a new conversation with other tools. */
  askTwoSets(): Promise<void> {
    return this.#ask(async (chosen, question, signal) => {
      const rows: Report["rows"][number][] = [];
      for (const family of [chosen.family, this.settings.otherFamily]) {
        const note = `The same question with the ${family} tools, which may only read:`;
        this.page.timeline.addText("note", "model", note);
        const asked = { ...chosen, family, mayChange: false };
        const figures = await new Conversation(this).ask(asked, question, signal);
        if (!figures.isDone) {
          return false;
        }
        rows.push({
          cells: [family, ...figuresOf(figures, this.usage.value)],
          details: figures.answer,
        });
      }
      const head = ["Tools", "Turns", "Calls", "Errors", "Sent", "Received", "Time"];
      this.report.value = { title: question, head, rows, isCode: false };
      return true;
    });
  }

  /** Makes the calls of a transcript again on the mounted tree, and reports what differs. */
  replay(entries: readonly TranscriptEntry[]): Promise<void> {
    return this.#run(async (signal) => {
      if (entries.some((entry) => entry.type === "call" && entry.tool === "forge_read")) {
        await this.page.offerEditing("Forge");
      }
      const client = await timelineClient(this.page, () => "replay");
      const calls = await replayCalls(client, entries, signal);
      const count = (verdict: ReplayedCall["verdict"]) =>
        calls.filter((call) => call.verdict === verdict).length;
      this.report.value = {
        title: `Replay: ${count("same")} the same, ${count("differs")} different, ${count("skipped")} skipped`,
        head: ["Call", "Answer"],
        rows: calls.map(({ index, verdict, difference }, position) => ({
          cells: [`${position + 1}. ${nameAt(entries, index)}`, VERDICTS[verdict]],
          details: difference ?? "",
        })),
        isCode: true,
      };
    });
  }

  /** Takes a transcript in place of the present one, and replays it. */
  async import(read: Promise<readonly TranscriptEntry[]>): Promise<void> {
    try {
      const entries = await read;
      this.forget();
      this.entries.value = entries;
      await this.replay(entries);
    } catch (error) {
      if (!(error instanceof TranscriptInvalid)) {
        throw error;
      }
      this.problem.value = error.message;
    }
  }

  /** Begins a new conversation; the timeline stays. */
  forget(): void {
    this.stop();
    this.#conversation = new Conversation(this);
    this.entries.value = [];
    this.usage.value = NO_USAGE;
  }

  listModels(): Promise<void> {
    return this.#check("Listing…", async (signal) => {
      const endpoint = this.settings.readEndpoint();
      if (typeof endpoint === "string") {
        return endpoint;
      }
      this.models.value = await new ChatWire(endpoint).listModels(signal);
      const { length } = this.models.value;
      return `${length === 1 ? "1 model" : `${length} models`}. Choose one in the field.`;
    });
  }

  /** Asks the model for one word, and offers it a tool, as a question would. */
  test(): Promise<void> {
    return this.#check("Asking for one word…", async (signal) => {
      const chosen = this.settings.read();
      if (typeof chosen === "string") {
        return chosen;
      }
      const ignore = () => undefined;
      const wire = new ChatWire(chosen);
      const options = { signal, onText: ignore, onRetry: ignore };
      const { text } = await wire.complete({ model: chosen.model, ...TEST }, options);
      const answer = text === "" ? "a call of it" : quoteDetail(text, [chosen.key]);
      return `It works: ${chosen.model} at ${wire.origin} took a question and a tool, and answered: ${answer}`;
    });
  }

  async #check(begun: string, work: (signal: AbortSignal) => Promise<string>): Promise<void> {
    this.checked.value = begun;
    try {
      this.checked.value = await work(new AbortController().signal);
    } catch (error) {
      this.checked.value = sentenceOf(error);
      if (!(error instanceof ModelFailure)) {
        reportError(error);
      }
    }
  }

  /** Runs a question whose field is empty meanwhile; it is put back if the question failed. */
  async #ask(
    work: (chosen: ChosenModel, question: string, signal: AbortSignal) => Promise<boolean>,
  ): Promise<void> {
    const [chosen, question] = [this.settings.read(), this.question.value.trim()];
    if (typeof chosen === "string" || question === "") {
      this.problem.value =
        typeof chosen === "string" ? "Choose a model first." : "Type a question.";
      return;
    }
    await this.#run(async (signal) => {
      await orAborted(this.page.settled(), signal);
      if (this.page.tree.value === null) {
        this.problem.value = "Open a tree of files first.";
        return;
      }
      this.question.value = "";
      this.spoken.value = "The model is working…";
      const isAnswered = await work(chosen, question, signal);
      this.spoken.value = isAnswered ? "The model has answered." : "";
      if (!isAnswered) {
        this.question.value ||= question;
      }
    });
  }

  async #run(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.#running !== null) {
      return;
    }
    const controller = new AbortController();
    this.#running = controller;
    this.isRunning.value = true;
    this.problem.value = "";
    this.spoken.value = "";
    try {
      await work(controller.signal);
    } catch (error) {
      this.spoken.value = "";
      if (!controller.signal.aborted) {
        reportError(error);
        this.problem.value = sentenceOf(error);
      }
    } finally {
      this.#running = null;
      this.isRunning.value = false;
    }
  }
}

const VERDICTS = { same: "same", differs: "different", skipped: "skipped" } as const;

function nameAt(entries: readonly TranscriptEntry[], index: number): string {
  const entry = entries[index];
  return entry?.type === "call" ? entry.name : "";
}

function figuresOf(figures: RunFigures, { sentTokens, receivedTokens }: UsageTotals) {
  const { turns, calls, errors, elapsedMs } = figures;
  const tokens = [sentTokens, receivedTokens].map((count) => formatTokens(count));
  return [String(turns), String(calls), String(errors), ...tokens, formatMs(elapsedMs)];
}
