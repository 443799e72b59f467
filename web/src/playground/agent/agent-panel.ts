/** The view in which a model explores the mounted tree and the visitor watches. */

import type { ToolClient } from "../../adapters/toolset-types.ts";
import type { TimedProgressEvent } from "../../index.ts";
import { orAborted } from "../../lib/or-aborted.ts";
import { reportError } from "../../lib/report-error.ts";
import { copyText } from "../../page-parts/copy-text.ts";
import { sentenceOf } from "../../page-parts/error-sentence.ts";
import { formatCount } from "../../page-parts/format-quantities.ts";
import { parseJsonObject } from "../../page-parts/json.ts";
import { makeElement } from "../../page-parts/make-element.ts";
import { wordProgress } from "../../page-parts/progress-words.ts";
import type { PlaygroundState } from "../playground-state.ts";
import { ApprovalList } from "./approval-list.ts";
import { ChangeReview } from "./change-review.ts";
import { Conversation, type OpenedTree } from "./conversation.ts";
import { ModelForm } from "./model-form.ts";
import { QuestionForm } from "./question-form.ts";
import { replayCalls } from "./replay.ts";
import { Totals } from "./totals.ts";
import { type CallEntry, renderTranscript, TranscriptInvalid } from "./transcript.ts";
import { TranscriptBar } from "./transcript-bar.ts";
import { downloadTranscript, readTranscript } from "./transcript-file.ts";
import { TranscriptView } from "./transcript-view.ts";

/** The services that the panel needs from the page. */
export interface AgentHost {
  readonly session: Promise<PlaygroundState>;
  /** Resolves when no mount is under way. */
  readonly settled: () => Promise<void>;
  /** The visitor wants to open one of the agent's calls in the console. */
  readonly onOpenCall?: (call: {
    readonly toolName: string;
    readonly argumentsText: string;
  }) => void;
}

/** Shows a conversation about the tree; the page adds `element` once. */
export class AgentPanel {
  readonly element: HTMLElement;
  readonly #host: AgentHost;
  readonly #model = new ModelForm(() => this.#question.setTour(this.#isTour));
  readonly #askFirst = makeElement("input", { type: "checkbox", id: "agent-ask-first" });
  readonly #approvals = new ApprovalList({
    mayTakeFocus: () => this.#question.isFocusIdle,
    onWaiting: (sentence) => this.#showProgress(sentence),
  });
  readonly #view: TranscriptView;
  readonly #totals = new Totals();
  readonly #question = new QuestionForm({
    onAsk: (question) => this.#ask(question),
    onStop: () => this.#running?.abort(),
  });
  readonly #bar = new TranscriptBar({
    onCopy: () => void this.#copy(),
    onDownload: () => downloadTranscript(this.#conversation.entries),
    onReplay: () => this.#run((signal) => this.#replay(signal)),
    onImport: (file) => this.#run(() => this.#import(file)),
    onClear: () => this.#clear(),
  });
  readonly #announcement = makeElement("p", { role: "status", class: "agent-status help" });
  readonly #empty = makeElement(
    "p",
    { class: "agent-empty help" },
    "Each call appears here with its arguments, the answer as the model reads it, and the size of that answer.",
  );
  readonly #conversation: Conversation;
  readonly #review = new ChangeReview();
  #running: AbortController | null = null;
  #turnCount = 0;

  constructor(host: AgentHost) {
    this.#host = host;
    const open = (entry: CallEntry) => void this.#openInConsole(entry);
    const onOpen = host.onOpenCall === undefined ? undefined : open;
    this.#view = new TranscriptView(onOpen);
    this.#conversation = new Conversation({
      view: this.#view,
      openTree: async (family) => {
        await (await this.#host.session).offerEditing(family);
        return this.#openTree();
      },
      onAsked: (asked) => {
        this.#question.clear(asked);
        this.#showProgress(null);
      },
      approve: (call) => !this.#askFirst.checked || this.#approvals.ask(call),
      onProgress: (sentence) => this.#showProgress(sentence),
    });
    this.element = this.#compose();
    this.#question.setTour(this.#isTour);
  }

  /** Shows what is proposed now. */
  refreshChanges(): void {
    this.#review.refresh();
  }

  /** The name of the turn, for its changes. */
  get #group(): string {
    return `turn ${this.#turnCount}`;
  }

  get #isTour(): boolean {
    return this.#model.provider.name === "tour";
  }

  #compose(): HTMLElement {
    const askFirst = makeElement(
      "label",
      { class: "agent-check" },
      this.#askFirst,
      "Ask me before each call",
    );
    const section = (name: string, label: string, ...children: readonly HTMLElement[]) =>
      makeElement("section", { class: name, "aria-label": label }, ...children);
    this.#view.element.hidden = true;
    return makeElement(
      "div",
      { class: "agent-panel" },
      makeElement("h2", { class: "visually-hidden" }, "Agent"),
      section("agent-settings", "Settings", this.#model.element, askFirst),
      section(
        "agent-talk",
        "Conversation",
        this.#empty,
        this.#view.element,
        makeElement(
          "div",
          { class: "agent-foot" },
          this.#approvals.element,
          this.#announcement,
          this.#question.element,
        ),
      ),
      section("agent-account", "Transcript", this.#totals.element, this.#bar.element),
    );
  }

  #ask(question: string): void {
    const choice = this.#model.read();
    if ("problem" in choice) {
      this.#question.showProblem(choice.problem);
      return;
    }
    this.#run(async (signal) => {
      this.#turnCount += 1;
      const isDone = await this.#conversation.ask(choice, question, signal);
      if (!isDone && choice.provider.name !== "tour") {
        this.#question.putBack(question);
      }
      await this.#showReview();
    });
  }

  /** Ends a turn with what is proposed, if it is anything. */
  async #showReview(): Promise<void> {
    try {
      const review = await this.#review.find((await this.#host.session).client);
      if (review !== null) {
        this.#view.addReview(review);
      }
    } catch (error) {
      reportError(error);
    }
  }

  /** Runs one task at a time; the Stop button aborts it. */
  #run(work: (signal: AbortSignal) => Promise<void>): void {
    if (this.#running !== null) {
      return;
    }
    const controller = new AbortController();
    this.#running = controller;
    this.#showState();
    void work(controller.signal).finally(() => {
      this.#running = null;
      this.#showState();
    });
  }

  async #openTree(): Promise<OpenedTree> {
    const session = await this.#host.session;
    await this.#host.settled();
    const { client, choice } = session;
    return { client: this.#waitingClient(client), choice, takeNotes: () => client.takeNotes() };
  }

  /**
   * Returns a client that delays each call until no mount runs, shows what a call waits for, and
   * groups the changes of a turn.
   */
  #waitingClient(client: ToolClient): ToolClient {
    const settled = (signal?: AbortSignal) => orAborted(this.#host.settled(), signal);
    const onProgress = (event: TimedProgressEvent) => {
      const words = wordProgress(event);
      this.#showProgress(words && `${words.phase}: ${words.amount}.`);
    };
    return {
      listTools: () => client.listTools(),
      describeTools: (format, names) => client.describeTools(format, names),
      prepareCall: async (name, args, options) => {
        await settled();
        const { summary, run } = await client.prepareCall(name, args, options);
        return {
          summary,
          run: async (limits) => {
            await settled(limits?.signal);
            return run({ ...limits, onProgress, group: this.#group });
          },
        };
      },
      callTool: async (name, args, options) => {
        await settled(options?.signal);
        return client.callTool(name, args, { ...options, onProgress, group: this.#group });
      },
    };
  }

  #showProgress(sentence: string | null): void {
    if (sentence !== null) {
      this.#announcement.textContent = sentence;
    }
    this.#showState();
  }

  #showState(): void {
    const isRunning = this.#running !== null;
    const hasTranscript = this.#conversation.entries.length > 0;
    this.#empty.hidden = hasTranscript;
    this.#view.element.hidden = !hasTranscript;
    this.#totals.show(this.#conversation.entries);
    this.#bar.setUsable({ hasTranscript, isRunning });
    this.#question.setRunning(isRunning);
  }

  async #copy(): Promise<void> {
    const isCopied = await copyText(renderTranscript(this.#conversation.entries));
    this.#showProgress(isCopied ? "The transcript is copied." : "The browser refused to copy.");
  }

  async #replay(signal: AbortSignal): Promise<void> {
    const { entries } = this.#conversation;
    const cards = this.#view.showAll(entries);
    this.#showProgress("Replaying on the tree that is mounted now.");
    try {
      const { client } = await orAborted(this.#openTree(), signal);
      const calls = await replayCalls(
        client,
        entries,
        (call) => cards.get(call.index)?.showReplay(call),
        signal,
      );
      const count = (wanted: string) =>
        formatCount(calls.filter(({ verdict }) => verdict === wanted).length);
      this.#showProgress(
        `Replayed: ${count("same")} the same, ${count("differs")} different, ${count("skipped")} skipped.`,
      );
    } catch (error) {
      this.#showProgress(
        signal.aborted ? "The replay was stopped." : `The replay failed: ${sentenceOf(error)}`,
      );
    }
  }

  async #import(file: File): Promise<void> {
    try {
      const entries = await readTranscript(file);
      this.#view.showAll(entries);
      this.#conversation.replace(entries);
      this.#showProgress("Imported. Replay makes its calls again on the tree that is mounted now.");
    } catch (error) {
      this.#view.showAll(this.#conversation.entries);
      const why = error instanceof TranscriptInvalid ? error.message : "The file cannot be read.";
      this.#showProgress(why);
    }
  }

  #clear(): void {
    this.#conversation.replace([]);
    this.#view.clear();
    this.#showProgress("Cleared. The next question begins a new conversation.");
  }

  async #openInConsole(entry: CallEntry): Promise<void> {
    try {
      await this.#handToConsole(entry);
    } catch (error) {
      reportError(error);
      this.#showProgress(`The call cannot be opened in the console: ${sentenceOf(error)}`);
    }
  }

  /** Removes nulls, which mean that an argument is absent: the console's schemas are not strict. */
  async #handToConsole(entry: CallEntry): Promise<void> {
    const { client } = await this.#host.session;
    const tool = (await client.listTools()).find(({ name }) => name === entry.tool);
    if (tool === undefined) {
      return;
    }
    const { arguments: args } = entry;
    const values = typeof args === "string" ? parseJsonObject(args) : args;
    const withoutNull = (_key: string, value: unknown) => value ?? undefined;
    const argumentsText = values === null ? String(args) : JSON.stringify(values, withoutNull, 2);
    this.#host.onOpenCall?.({ toolName: tool.name, argumentsText });
  }
}
