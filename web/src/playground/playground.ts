/** What happens on the page: starting, mounting, calling, and who learns of it. */

import type { ProgressEvent } from "../index.ts";
import { escapePath } from "../protocol/spelling.ts";
import { ArgumentsEditor } from "./arguments-editor.ts";
import { CallDraft } from "./call-draft.ts";
import { CallHistory } from "./call-history.ts";
import type { CallRecord } from "./call-record.ts";
import { renderJson } from "./json.ts";
import { readHash, writeHashOnChange } from "./location-hash.ts";
import { findElement } from "./make-element.ts";
import { explainMountFailure } from "./mount-failure.ts";
import { renderMountReport } from "./mount-report-view.ts";
import { ResultView } from "./result-view.ts";
import { RunBar } from "./run-bar.ts";
import { Sections } from "./sections.ts";
import { Session } from "./session.ts";
import { SAMPLE_TREE, startSourceChooser, type TreeChoice } from "./source-chooser.ts";
import { StatusLine } from "./status-line.ts";
import { findNote, MOUNT_PATH, spellPath, TOOL_NOTES } from "./tool-notes.ts";
import { ToolPicker } from "./tool-picker.ts";
import { loadTreePage, type TreeEntry, type TreePage } from "./tree-pages.ts";
import { TreeSelection } from "./tree-selection.ts";
import { TreeView } from "./tree-view.ts";

const PHASES: Readonly<Record<string, string>> = {
  runtime: "Loading Python",
  packages: "Loading packages",
  index: "Reading the tree's index",
  mount: "Mounting",
};

/** Wires the page's parts to one session. */
export class Playground {
  readonly #draft = new CallDraft("list_dir");
  readonly #status = new StatusLine();
  readonly #sections = new Sections();
  readonly #picker = new ToolPicker(this.#draft, (toolName) => this.#chooseTool(toolName));
  readonly #editor = new ArgumentsEditor(this.#draft);
  readonly #runBar = new RunBar(this.#draft, { onStop: () => this.#calling?.abort() });
  readonly #result = new ResultView({
    onNextPage: (toolName, next) => this.#callNext(toolName, next),
  });
  readonly #history = new CallHistory((record) => this.#showAgain(record));
  readonly #selection = new TreeSelection({
    onList: (entry) => this.#runOn(entry, "directory"),
    onRead: (entry) => this.#runOn(entry, "file"),
  });
  readonly #tree = new TreeView({
    loadPage: (path, offset) => this.#loadPage(path, offset),
    onSelect: (entry) => this.#select(entry),
    onOpen: (entry) => this.#runOn(entry, "file"),
  });
  readonly #session: Promise<Session>;
  /** What a tool is pointed at where nobody has said: paths below the mount. */
  readonly #places = new Map<"directory" | "file", string>();
  #mounting: AbortController | null = null;
  #mounted: Promise<unknown> = Promise.resolve();
  #calling: AbortController | null = null;

  constructor() {
    this.#fillPage();
    this.#status.begin("Loading Python");
    this.#session = Session.start((event) => this.#showProgress(event));
    void this.#meetTools();
  }

  /** Mounts the sample and makes the first call: the address's, or a listing of the whole. */
  async showSample(): Promise<void> {
    if (!readHash(location.hash, this.#draft)) {
      this.#draft.setArguments({ dir_path: MOUNT_PATH });
    }
    writeHashOnChange(this.#draft);
    window.addEventListener("hashchange", () => {
      if (readHash(location.hash, this.#draft)) {
        void this.#call();
      }
    });
    // Somebody quick has already asked something else, or for another tree.
    if ((await this.#mount(SAMPLE_TREE)) && this.#calling === null) {
      await this.#call();
    }
  }

  #fillPage(): void {
    findElement("tool-picker", HTMLElement).append(this.#picker.element);
    findElement("arguments-editor", HTMLElement).append(this.#editor.element);
    findElement("run-bar", HTMLElement).append(this.#runBar.element);
    findElement("tree-scroll", HTMLElement).append(this.#tree.element);
    startSourceChooser({
      onChoose: (choice) => void this.#replaceTree(choice),
      onRefuse: (sentence) => this.#refuse(sentence),
    });
    findElement("skip-link", HTMLAnchorElement).addEventListener("click", (event) => {
      // The link's own way ends at a hidden section on a phone, and the address holds the call.
      event.preventDefault();
      this.#sections.show("result");
      findElement("result-pane", HTMLElement).focus();
    });
    findElement("call-form", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      this.#run();
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        this.#run();
      }
    });
  }

  async #meetTools(): Promise<void> {
    try {
      const tools = await (await this.#session).client.listTools();
      this.#picker.setTools(tools);
      this.#editor.setSchemas(new Map(tools.map((tool) => [tool.name, tool.inputSchema])));
    } catch (error) {
      this.#status.finish("failed", `Python did not start: ${sentenceOf(error)}`);
    }
  }

  #showProgress({ phase, loaded, total }: ProgressEvent): void {
    const words = PHASES[phase];
    if (words !== undefined) {
      this.#status.advance(words, loaded, total);
    }
  }

  /** Mounts another tree and asks the present tool about it: the answer on show is of the old one. */
  async #replaceTree(choice: TreeChoice): Promise<void> {
    if (!(await this.#mount(choice))) {
      return;
    }
    this.#draft.forget();
    const takes = findNote(this.#draft.toolName)?.takes ?? "file";
    this.#chooseTool(this.#places.has(takes) ? this.#draft.toolName : "list_dir");
    await this.#call();
  }

  /** Tells whether the tree is now mounted: it may be broken, or another one chosen meanwhile. */
  #mount(choice: TreeChoice): Promise<boolean> {
    this.#mounting?.abort();
    const controller = new AbortController();
    this.#mounting = controller;
    // One after the other: a mount that is given up must first have put the old tree back.
    const mounting = this.#mounted.then(() => this.#mountNow(choice, controller.signal));
    this.#mounted = mounting;
    return mounting;
  }

  async #mountNow(choice: TreeChoice, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) {
      return false;
    }
    try {
      const session = await this.#session;
      if (choice !== SAMPLE_TREE || this.#result.hasRecord) {
        this.#status.begin(`Opening ${escapePath(choice.name)}`);
      }
      this.#refuse("");
      const report = await session.mount(choice, (event) => this.#showProgress(event), signal);
      const element = renderMountReport(choice.name, report);
      findElement("mount-report", HTMLElement).replaceChildren(element);
      this.#selection.show(null);
      this.#places.clear();
      this.#status.finish("ready", "Ready");
      await this.#tree.show(MOUNT_PATH);
      return true;
    } catch (error) {
      await this.#showMountFailure(choice, error, signal);
      return false;
    }
  }

  async #showMountFailure(choice: TreeChoice, error: unknown, signal: AbortSignal): Promise<void> {
    const session = await this.#session.catch(() => null);
    const reason = await explainMountFailure(error, choice.archive ?? null);
    if (session === null || signal.aborted) {
      return;
    }
    this.#refuse(`${escapePath(choice.name)} was not mounted: ${reason}`);
    if (session.hasTree) {
      this.#status.finish("ready", "Ready");
    } else {
      findElement("mount-report", HTMLElement).replaceChildren();
      this.#selection.show(null);
      this.#places.clear();
      this.#tree.clear();
      this.#status.finish("failed", "No tree is mounted");
    }
  }

  #refuse(sentence: string): void {
    findElement("mount-error", HTMLElement).textContent = sentence;
    if (sentence !== "") {
      this.#sections.show("tree");
    }
  }

  async #loadPage(path: string, offset: number): Promise<TreePage> {
    const page = await loadTreePage((await this.#session).client, path, offset);
    if (path === "" && offset === 0) {
      const files = page.entries.filter(({ kind }) => kind === "file");
      const first = files.find(({ name }) => /^readme/i.test(name)) ?? files[0];
      this.#places.set("directory", "");
      if (first !== undefined) {
        this.#places.set("file", first.path);
      }
    }
    return page;
  }

  #chooseTool(toolName: string): void {
    const isNew = !this.#draft.hasArguments(toolName);
    this.#draft.selectTool(toolName);
    const note = findNote(toolName);
    const place = note === undefined ? undefined : this.#places.get(note.takes);
    if (isNew && note !== undefined && place !== undefined) {
      this.#draft.setArguments({ [note.pathArgument]: escapePath(spellPath(note, place)) });
    }
  }

  #select(entry: TreeEntry): void {
    this.#selection.show(entry);
    if (entry.kind !== "link") {
      this.#putPath(entry, entry.kind === "dir" ? "directory" : "file");
    }
  }

  /** Puts a path into the form; a tool that cannot take it gives way to the first that can. */
  #putPath(entry: TreeEntry, wanted: "directory" | "file"): void {
    const current = findNote(this.#draft.toolName);
    const note =
      current?.takes === wanted ? current : TOOL_NOTES.find(({ takes }) => takes === wanted);
    if (note === undefined) {
      return;
    }
    if (note !== current) {
      this.#draft.selectTool(note.name);
    }
    this.#places.set(wanted, entry.path);
    const path = escapePath(spellPath(note, entry.path));
    const values = this.#draft.argumentsObject ?? {};
    // An offset belongs to the place that was read before.
    const { offset: _, ...others } = values;
    const kept = values[note.pathArgument] === path ? values : others;
    this.#draft.setArguments({ ...kept, [note.pathArgument]: path });
  }

  #runOn(entry: TreeEntry, wanted: "directory" | "file"): void {
    this.#putPath(entry, wanted);
    this.#run();
  }

  #callNext(toolName: string, next: unknown): void {
    this.#draft.replace(toolName, renderJson(next), this.#draft.maxOutputBytes);
    this.#run();
  }

  #run(): void {
    this.#sections.show("result");
    void this.#call();
  }

  async #call(): Promise<void> {
    this.#calling?.abort();
    const controller = new AbortController();
    this.#calling = controller;
    this.#runBar.setRunning(true);
    this.#result.setRunning(true);
    try {
      const session = await this.#session;
      await this.#mounted;
      const record = await session.call(this.#draft, controller.signal);
      this.#history.add(record);
      this.#result.show(record, { isNew: true });
    } catch (error) {
      if (!controller.signal.aborted) {
        this.#status.finish("failed", `The call was not made: ${sentenceOf(error)}`);
      }
    } finally {
      if (this.#calling === controller) {
        this.#runBar.setRunning(false);
        this.#result.setRunning(false);
      }
    }
  }

  #showAgain(record: CallRecord): void {
    this.#draft.replace(record.toolName, record.argumentsText, record.maxOutputBytes);
    this.#result.show(record, { isNew: false });
    this.#sections.show("result");
  }
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
