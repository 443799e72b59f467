/** The view in which a visitor makes one call at a time. */

import { TreeglassError } from "../index.ts";
import { escapePath } from "../lib/spelling.ts";
import { sentenceOf } from "../page-parts/error-sentence.ts";
import { renderJson } from "../page-parts/json.ts";
import { findElement } from "../page-parts/make-element.ts";
import type { TreeEntry, TreePage } from "../page-parts/tree-pages.ts";
import { ArgumentsEditor } from "./arguments-editor.ts";
import { CallDraft } from "./call-draft.ts";
import { CallHistory } from "./call-history.ts";
import type { CallRecord, CallText } from "./call-record.ts";
import type { FoundMatch } from "./found-matches.ts";
import type { PlaygroundState } from "./playground-state.ts";
import { ResultView } from "./result-view.ts";
import { RunBar } from "./run-bar.ts";
import { RunningCall } from "./running-call.ts";
import type { StatusLine } from "./status-line.ts";
import { findNote, MOUNT_PATH, spellPath, TOOL_NOTES } from "./tool-notes.ts";
import { ToolPicker } from "./tool-picker.ts";

/** The services that the console needs from the page. */
export interface ConsoleHost {
  readonly session: Promise<PlaygroundState>;
  readonly status: StatusLine;
  /** Resolves when no mount is under way. */
  readonly settled: () => Promise<unknown>;
  /** The visitor asked for an answer or chose one: bring the result into view. */
  readonly onShowResult: () => void;
}

/** Connects form, result and history to one draft. */
export class Console {
  readonly draft = new CallDraft("list_dir");
  readonly #host: ConsoleHost;
  readonly #picker = new ToolPicker(this.draft, (toolName) => this.#chooseTool(toolName));
  readonly #editor = new ArgumentsEditor(this.draft);
  readonly #runBar = new RunBar(this.draft, { onStop: () => this.#calling?.abort() });
  readonly #result = new ResultView({
    onNextPage: (toolName, next) =>
      this.runCall({
        toolName,
        argumentsText: renderJson(next),
        maxOutputBytes: this.draft.maxOutputBytes,
      }),
    onOpenMatch: (toolName, match) => this.#openMatch(toolName, match),
  });
  readonly #running = new RunningCall(this.#runBar, this.#result);
  readonly #history = new CallHistory((record) => this.#showAgain(record));
  /** The default paths for a tool that has no arguments yet, relative to the mount. */
  readonly #places = new Map<"directory" | "file", string>();
  #calling: AbortController | null = null;

  constructor(host: ConsoleHost) {
    this.#host = host;
    findElement("tool-picker", HTMLElement).append(this.#picker.element);
    findElement("arguments-editor", HTMLElement).append(this.#editor.element);
    findElement("run-bar", HTMLElement).append(this.#runBar.element);
    findElement("call-form", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      this.#run();
    });
    const view = findElement("console-view", HTMLElement);
    document.addEventListener("keydown", (event) => {
      const isRun = event.key === "Enter" && (event.ctrlKey || event.metaKey);
      // Behind a dialog, or in another view, the answer would be hidden.
      if (isRun && !view.hidden && document.querySelector("dialog[open]") === null) {
        event.preventDefault();
        this.#run();
      }
    });
    void this.#meetTools();
  }

  /** Whether the visitor has asked for any call yet. */
  get hasCalled(): boolean {
    return this.#calling !== null;
  }

  /** Points the selected tool at a newly mounted tree, and calls it. */
  async callAnew(): Promise<void> {
    this.draft.forget();
    const takes = findNote(this.draft.toolName)?.takes ?? "file";
    this.#chooseTool(this.#places.has(takes) ? this.draft.toolName : "list_dir");
    await this.call();
  }

  /** Makes a call that another part of the page showed. */
  runCall(call: CallText): void {
    this.draft.replace(call);
    this.#run();
  }

  /** Lists or reads an entry of the tree. */
  runOn(entry: TreeEntry, wanted: "directory" | "file"): void {
    this.#putPath(entry, wanted);
    this.#run();
  }

  /** Puts the path of a tree entry into the form. */
  point(entry: TreeEntry): void {
    if (entry.kind !== "link") {
      this.#putPath(entry, entry.kind === "dir" ? "directory" : "file");
    }
  }

  /** Forgets the default paths: their tree is no longer mounted. */
  forgetPlaces(): void {
    this.#places.clear();
  }

  /** Takes the tools' default paths from a tree's first page. */
  meetTree(firstPage: TreePage): void {
    const files = firstPage.entries.filter(({ kind }) => kind === "file");
    const first = files.find(({ name }) => /^readme/i.test(name)) ?? files[0];
    this.#places.set("directory", "");
    if (first !== undefined) {
      this.#places.set("file", first.path);
    }
  }

  /** Makes the draft's call, and aborts an earlier call that still runs. */
  async call(): Promise<void> {
    this.#calling?.abort();
    const controller = new AbortController();
    this.#calling = controller;
    this.#running.begin();
    let hasRecord = false;
    try {
      const session = await this.#host.session;
      await this.#host.settled();
      const record = await session.call(this.draft, controller.signal, (event) => {
        if (this.#calling === controller) {
          this.#running.advance(event);
        }
      });
      this.#history.add(record);
      this.#result.show(record, { isNew: true });
      hasRecord = true;
    } catch (error) {
      if (!controller.signal.aborted) {
        const isStopped = error instanceof TreeglassError && error.name === "TimedOut";
        const what = isStopped ? "" : "The call was not made: ";
        this.#host.status.finish("failed", `${what}${sentenceOf(error)}`);
      }
    } finally {
      if (this.#calling === controller) {
        this.#running.end({ hasRecord });
      }
    }
  }

  async #meetTools(): Promise<void> {
    try {
      const tools = await (await this.#host.session).client.listTools();
      this.#picker.setTools(tools);
      this.#editor.setSchemas(new Map(tools.map((tool) => [tool.name, tool.inputSchema])));
    } catch (error) {
      this.#host.status.finish("failed", `Python did not start: ${sentenceOf(error)}`);
    }
  }

  #chooseTool(toolName: string): void {
    const isNew = !this.draft.hasArguments(toolName);
    this.draft.selectTool(toolName);
    const note = findNote(toolName);
    const place = note === undefined ? undefined : this.#places.get(note.takes);
    if (isNew && note !== undefined && place !== undefined) {
      const path = escapePath(spellPath(note, place));
      this.draft.setArguments({ ...note.example, [note.pathArgument]: path });
    }
  }

  /** Puts a path into the form; if the selected tool cannot take it, selects the first that can. */
  #putPath(entry: TreeEntry, wanted: "directory" | "file"): void {
    const current = findNote(this.draft.toolName);
    const note =
      current?.takes === wanted ? current : TOOL_NOTES.find(({ takes }) => takes === wanted);
    if (note === undefined) {
      return;
    }
    if (note !== current) {
      this.draft.selectTool(note.name);
    }
    this.#places.set(wanted, entry.path);
    const path = escapePath(spellPath(note, entry.path));
    const values = this.draft.argumentsObject ?? {};
    // Where a page begins belongs to the path that was there before.
    const { offset: _, start_line: __, ...others } = values;
    const kept = values[note.pathArgument] === path ? values : others;
    this.draft.setArguments({ ...note.example, ...kept, [note.pathArgument]: path });
  }

  /** Reads a file from the line of a match, by the tool that belongs to the search. */
  #openMatch(toolName: string, { path, line }: FoundMatch): void {
    const reader = findNote(findNote(toolName)?.reader ?? "");
    if (reader?.lineArgument === undefined) {
      return;
    }
    const from = line === null ? {} : { [reader.lineArgument]: line };
    this.runCall({
      toolName: reader.name,
      argumentsText: renderJson({ [reader.pathArgument]: spellPath(reader, path), ...from }),
      maxOutputBytes: this.draft.maxOutputBytes,
    });
  }

  #run(): void {
    this.#host.onShowResult();
    void this.call();
  }

  #showAgain(record: CallRecord): void {
    this.draft.replace(record);
    this.#result.show(record, { isNew: false });
    this.#host.onShowResult();
  }
}

/** The arguments of the page's first call, unless the address names a call. */
export const FIRST_ARGUMENTS = { dir_path: MOUNT_PATH } as const;
