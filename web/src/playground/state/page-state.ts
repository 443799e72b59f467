/** The state of the page: one client, one mounted tree at a time, the timeline, and the open file. */

import { signal } from "@preact/signals";
import type {
  Changes,
  ConfigDocument,
  MountReport,
  TimedProgressEvent,
  TreeglassClient,
} from "../../index.ts";
import { escapePath } from "../../lib/spelling.ts";
import { sentenceOf } from "../../ui/error-sentence.ts";
import type { CallText } from "../../ui/literals.ts";
import { wordProgress } from "../../ui/progress-words.ts";
import { MOUNT_PATH, type ToolFamily } from "../tool-notes.ts";
import { forgetArguments, writtenArguments } from "./call-draft.ts";
import type { ChosenTree } from "./linked-tree.ts";
import { type LineRange, Marks, type OpenFile } from "./marks.ts";
import { explainMountFailure } from "./mount-failure.ts";
import { MountedClient, type PageHost, SERVED, type TurnFamily } from "./mounted-client.ts";
import { type CallOptions, makeCall, versionAfter } from "./page-call.ts";
import { type Author, type CallItem, Timeline } from "./timeline.ts";
import { findStart } from "./tree-start.ts";

/** The state of the page: the start, a mount, or a tree that is there or missing. */
export interface PageStatus {
  readonly kind: "starting" | "mounting" | "ready" | "empty" | "failed";
  /** A sentence or a phrase for the visitor. */
  readonly words: string;
  /** The progress of the step; empty if the number would not help. */
  readonly amount: string;
}

export interface MountedTree {
  /** Counts the mounts of this page, from 1. */
  readonly number: number;
  readonly choice: ChosenTree;
  readonly report: MountReport;
}

/** The section that a phone shows; a wide screen shows all three. */
export type SectionName = "files" | "file" | "calls";

/** The width below which one section shows at a time; `shell.css` names it too. */
export const PHONE = "(width < 700px)";

/** A tree that the visitor wants to open in place of one that has proposed changes. */
export interface Replacement {
  readonly choice: ChosenTree;
  /** Only the first decision counts. */
  readonly decide: (isWanted: boolean) => void;
}

const NO_CHANGES: Changes = { version: 0, entries: [], steps: [] };

/** The reason of an abort when the visitor stops a mount; a later choice aborts without a reason. */
const CANCELLED = "cancelled by the visitor";

/** Makes calls and mounts, and tells the parts of the page by its signals. */
export class PageState {
  readonly status = signal<PageStatus>({ kind: "starting", words: "Loading Python", amount: "" });
  readonly tree = signal<MountedTree | null>(null);
  /** Why the last choice was not mounted; empty after a mount. */
  readonly refusal = signal("");
  /** The question that a visitor answers before another tree is opened; null without one. */
  readonly replacement = signal<Replacement | null>(null);
  /** True while the dialog with the sources of trees is open. */
  readonly isChoosingTree = signal(false);
  readonly openFile = signal<OpenFile | null>(null);
  /** The folder that the address of the tree names; null without one. */
  readonly folder = signal<string | null>(null);
  readonly section = signal<SectionName>("file");
  readonly changes = signal<Changes>(NO_CHANGES);
  /** True until the review that the visitor wants to see is in sight. */
  readonly isReviewSought = signal(false);
  /** The visitor's configuration; null while they have set none. */
  readonly configuration = signal<ConfigDocument | null>(null);
  /** The family whose changing tools a running turn of a model uses; no other is offered then. */
  readonly turnFamily: TurnFamily = signal(undefined);
  readonly timeline = new Timeline();
  readonly marks = new Marks();
  /** Brings kept work back on the tree that was just mounted; calls wait for it. */
  bringBack: () => Promise<void> = async () => undefined;
  readonly #session: Promise<MountedClient>;
  /** True if no other page lies beside this one. */
  readonly isAlone: boolean;
  #mounting: AbortController | null = null;
  #settled: Promise<unknown> = Promise.resolve();
  #mountCount = 0;

  /** `host` is for a page that holds its files itself. */
  constructor(host: PageHost = SERVED) {
    this.isAlone = host.isAlone ?? false;
    const connected = host.connect({
      // The visitor may try every tool; the agent's form chooses those of a model.
      family: "all",
      projectRoot: MOUNT_PATH,
      workingDir: MOUNT_PATH,
      onProgress: (event) => this.#showProgress("starting", event),
      onChanges: () => void this.refreshChanges(),
    });
    this.#session = connected.then((client) => new MountedClient(client, host, this.turnFamily));
    this.#session.catch((error: unknown) => {
      this.status.value = { kind: "failed", words: sentenceOf(error), amount: "" };
    });
  }

  /** The client, once the tools are loaded. */
  async client(): Promise<TreeglassClient> {
    return (await this.#session).client;
  }

  /** Resolves when no mount runs: an earlier call would find no tree. */
  async settled(): Promise<void> {
    await this.#settled;
  }

  /**
   * Mounts a tree in place of the mounted one.
   *
   * The timeline, the marks and the proposals belong to one tree, so they are cleared. Resolves
   * with whether the tree is mounted; a failure is in `refusal`.
   */
  mount(choice: ChosenTree): Promise<boolean> {
    this.#mounting?.abort();
    const controller = new AbortController();
    this.#mounting = controller;
    // One after the other: an abandoned mount must first restore the old tree.
    const mounting = this.#settled.then(() => this.#mountNow(choice, controller.signal));
    this.#settled = mounting;
    return mounting;
  }

  /** Mounts a tree as `mount` does, but asks first if that would drop proposed changes. */
  async open(choice: ChosenTree): Promise<boolean> {
    this.replacement.value?.decide(false);
    if (this.changes.value.entries.length === 0) {
      return this.mount(choice);
    }
    const isWanted = await new Promise<boolean>((resolve) => {
      const asked: Replacement = {
        choice,
        decide: (isWanted) => {
          if (this.replacement.value === asked) {
            this.replacement.value = null;
          }
          resolve(isWanted);
        },
      };
      this.replacement.value = asked;
    });
    return isWanted && this.mount(choice);
  }

  /** Stops the mount that runs; the earlier tree stays. */
  cancelMount(): void {
    this.#mounting?.abort(CANCELLED);
  }

  /** Offers the tools of a family that change files, beside all that read. */
  async offerEditing(family: ToolFamily | undefined): Promise<void> {
    await (await this.#session).offerEditing(family);
  }

  /** Offers a tool that changes files, with its family, unless a tool of its name is offered. */
  async offerTool(toolName: string): Promise<void> {
    await (await this.#session).offerTool(toolName);
  }

  /** Uses a configuration for all later calls; throws its fault, and then nothing changes. */
  async configure(configuration: ConfigDocument | null): Promise<void> {
    await (await this.#session).configure(configuration ?? {});
    this.configuration.value = configuration;
  }

  /** Makes a call and shows it on the timeline; resolves when it has ended. */
  async call(call: CallText, by: Author, options: CallOptions = {}): Promise<CallItem> {
    await this.#settled;
    const { timeline, marks } = this;
    const session = await this.#session;
    const catchUp = async (version: number) => {
      if (version > this.changes.value.version) {
        await this.refreshChanges();
      }
    };
    const place = { session, treeNumber: this.#mountCount, timeline, marks, catchUp };
    const { version } = this.changes.value;
    const item = await makeCall(place, call, by, options);
    // A turn of the model or of the tour ends in the review by itself.
    if (by === "you" && versionAfter(item) > version) {
      this.showReview(by);
    }
    return item;
  }

  /** Brings the calls in sight, which only a phone hides. */
  showCalls(): void {
    if (matchMedia(PHONE).matches) {
      this.section.value = "calls";
      // They are drawn after this event.
      requestAnimationFrame(() => document.getElementById("calls")?.focus());
    }
  }

  showFile(path: string, lines: LineRange | null = null): void {
    this.openFile.value = { path, lines };
    this.section.value = "file";
  }

  /** Reads what is proposed, after a call or a decision. */
  async refreshChanges(): Promise<void> {
    const changes = await (await this.client()).changes();
    const later = changes.steps.filter(({ number }) => number > this.changes.value.version);
    this.marks.forget(later.flatMap(({ paths }) => paths));
    this.changes.value = changes;
  }

  /** Ends the timeline with the review, if something is proposed. */
  showReview(by: Author): void {
    if (this.changes.value.entries.length > 0) {
      this.timeline.addReview(by);
    }
  }

  /** Brings the review in sight; one that the timeline does not have yet is added. */
  goToReview(): void {
    if (this.timeline.items.value.every(({ kind }) => kind !== "review")) {
      this.showReview("you");
    }
    this.section.value = "calls";
    this.isReviewSought.value = true;
  }

  async #mountNow(choice: ChosenTree, abort: AbortSignal): Promise<boolean> {
    if (abort.aborted) {
      return false;
    }
    try {
      const session = await this.#session;
      // What is written while a tree is being mounted is for that tree, and stays.
      const written = writtenArguments.peek();
      const words = `Opening ${escapePath(choice.name)}`;
      this.status.value = { kind: "mounting", words, amount: "" };
      const onProgress = (event: TimedProgressEvent) =>
        abort.aborted || this.#showProgress("mounting", event);
      const report = await session.mount(choice, onProgress, abort);
      const start = await findStart(session.client, choice);
      if (this.tree.value !== null) {
        forgetArguments(written);
      }
      this.#mountCount += 1;
      this.timeline.clear();
      this.marks.clear();
      this.openFile.value = start.file;
      this.folder.value = start.folder;
      // The first tree opens by itself, beside the introduction; a later one is the visitor's.
      const isTheirs = this.#mountCount > 1 && this.section.value === "file";
      this.section.value = start.section ?? (isTheirs ? "files" : this.section.value);
      this.changes.value = NO_CHANGES;
      this.refusal.value = start.refusal;
      this.tree.value = { number: this.#mountCount, choice: session.choice ?? choice, report };
      this.#showReady();
      await this.bringBack();
      return true;
    } catch (error) {
      this.#showFailure(choice, error, abort);
      return false;
    }
  }

  #showProgress(kind: "starting" | "mounting", event: TimedProgressEvent): void {
    const words = wordProgress(event);
    if (words !== null) {
      this.status.value = { kind, words: words.phase, amount: words.amount };
    }
  }

  #showFailure(choice: ChosenTree, error: unknown, abort: AbortSignal): void {
    if (this.status.value.kind === "failed") {
      return;
    }
    if (!abort.aborted) {
      const reason = explainMountFailure(error, choice.link);
      this.refusal.value = `${escapePath(choice.name)} was not mounted: ${reason}`;
    }
    this.#showReady();
  }

  /** Says whether a tree is there; a start that failed keeps its words. */
  #showReady(): void {
    this.status.value =
      this.tree.value === null
        ? { kind: "empty", words: "No tree is mounted", amount: "" }
        : { kind: "ready", words: "Ready", amount: "" };
  }
}
