/** What happens on the page: starting, mounting, calling, and who learns of it. */

import { type ProgressEvent, TreeglassError } from "../index.ts";
import { escapePath } from "../protocol/spelling.ts";
import { ArgumentsEditor } from "./arguments-editor.ts";
import { CallDraft } from "./call-draft.ts";
import { CallHistory } from "./call-history.ts";
import type { CallRecord } from "./call-record.ts";
import { startDropTarget } from "./drop-target.ts";
import { renderJson } from "./json.ts";
import { LinkOffer } from "./link-offer.ts";
import { isLinkProblem, type LinkedTree, readLink } from "./linked-tree.ts";
import { AddressWriter, readHash } from "./location-hash.ts";
import { findElement } from "./make-element.ts";
import { wordProgress } from "./progress-words.ts";
import { ResultView } from "./result-view.ts";
import { RunBar } from "./run-bar.ts";
import { Sections } from "./sections.ts";
import { Session } from "./session.ts";
import type { SourceActions } from "./source-actions.ts";
import { SAMPLE_TREE, startSourceChooser } from "./source-chooser.ts";
import { choiceOfLink, startSourcesDialog } from "./sources-dialog.ts";
import { StatusLine } from "./status-line.ts";
import { findNote, MOUNT_PATH, spellPath, TOOL_NOTES } from "./tool-notes.ts";
import { ToolPicker } from "./tool-picker.ts";
import type { TreeChoice } from "./tree-choice.ts";
import { TreeMounter } from "./tree-mounter.ts";
import { loadTreePage, type TreeEntry, type TreePage } from "./tree-pages.ts";
import { TreeSelection } from "./tree-selection.ts";
import { TreeView } from "./tree-view.ts";

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
  readonly #offer = new LinkOffer({
    onAccept: (link, hasCall) => void this.#acceptOffer(link, hasCall),
    onDismiss: () => void this.#dismissOffer(),
  });
  readonly #address = new AddressWriter(this.#draft);
  readonly #session: Promise<Session>;
  readonly #mounter: TreeMounter;
  /** What a tool is pointed at where nobody has said: paths below the mount. */
  readonly #places = new Map<"directory" | "file", string>();
  #calling: AbortController | null = null;

  constructor() {
    this.#fillPage();
    this.#status.begin("Loading Python");
    this.#session = Session.start((event) => this.#showStart(event));
    this.#mounter = new TreeMounter(
      { session: this.#session, status: this.#status, sections: this.#sections },
      {
        onMounted: () => this.#showTree(),
        onLost: () => {
          this.#forgetPlaces();
          this.#tree.clear();
        },
      },
    );
    void this.#meetTools();
  }

  /**
   * Mounts the sample and makes the first call: the address's, or a listing of the whole.
   *
   * Where the address names a tree elsewhere, asks for that instead.
   */
  async open(): Promise<void> {
    window.addEventListener("hashchange", () => void this.#follow(location.hash));
    // What the page is doing takes the address over meanwhile.
    const { hash } = location;
    const hasCall = readHash(hash, this.#draft);
    if (this.#askAbout(hash, hasCall)) {
      await this.#session;
      this.#status.finish("ready", "No tree is mounted yet");
      return;
    }
    if (!hasCall) {
      this.#draft.setArguments({ dir_path: MOUNT_PATH });
    }
    // Somebody quick has already asked something else, or for another tree.
    if (await this.#mounter.mount(SAMPLE_TREE)) {
      this.#refuseLink(hash);
      if (this.#calling === null) {
        await this.#call();
      }
    }
  }

  async #follow(hash: string): Promise<void> {
    const hasCall = readHash(hash, this.#draft);
    if (this.#askAbout(hash, hasCall)) {
      return;
    }
    if (this.#offer.isOpen) {
      await this.#withdrawOffer();
    }
    this.#refuseLink(hash);
    if (hasCall) {
      await this.#call();
    }
  }

  /** Takes the question away with the link that asked it: an answer to it would surprise. */
  async #withdrawOffer(): Promise<void> {
    this.#offer.hide();
    const session = await this.#session;
    this.#address.setLink(session.link);
    if (!session.hasTree) {
      await this.#mounter.mount(SAMPLE_TREE);
    }
  }

  #fillPage(): void {
    findElement("tool-picker", HTMLElement).append(this.#picker.element);
    findElement("arguments-editor", HTMLElement).append(this.#editor.element);
    findElement("run-bar", HTMLElement).append(this.#runBar.element);
    findElement("tree-scroll", HTMLElement).append(this.#tree.element);
    const actions: SourceActions = {
      onChoose: (choice) => void this.#replaceTree(choice),
      onRefuse: (sentence) => this.#mounter.refuse(sentence),
    };
    startSourceChooser(actions);
    startSourcesDialog(actions);
    startDropTarget(actions);
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
      const isRun = event.key === "Enter" && (event.ctrlKey || event.metaKey);
      // Behind a dialog nobody would see the answer.
      if (isRun && document.querySelector("dialog[open]") === null) {
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

  #showStart(event: ProgressEvent): void {
    const words = wordProgress(event);
    if (words !== null) {
      this.#status.advance(words, event.loaded, event.total);
    }
  }

  /** Mounts another tree and asks the present tool about it: the answer on show is of the old one. */
  async #replaceTree(choice: TreeChoice): Promise<void> {
    if (!(await this.#mounter.mount(choice))) {
      return;
    }
    this.#draft.forget();
    const takes = findNote(this.#draft.toolName)?.takes ?? "file";
    this.#chooseTool(this.#places.has(takes) ? this.#draft.toolName : "list_dir");
    await this.#call();
  }

  async #showTree(): Promise<void> {
    this.#offer.hide();
    this.#address.setLink((await this.#session).link);
    this.#forgetPlaces();
    await this.#tree.show(MOUNT_PATH);
  }

  #forgetPlaces(): void {
    this.#selection.show(null);
    this.#places.clear();
  }

  /** Asks before anything is fetched from where a link leads; tells whether there is such a question. */
  #askAbout(hash: string, hasCall: boolean): boolean {
    const linked = readLink(hash);
    if (linked === null || isLinkProblem(linked)) {
      return false;
    }
    this.#address.setLink(linked);
    this.#offer.show(linked, hasCall);
    this.#sections.show("tree");
    return true;
  }

  /** Says what is wrong with a link; once the page stands, since each mount begins with a clean one. */
  #refuseLink(hash: string): void {
    const linked = readLink(hash);
    if (linked !== null && isLinkProblem(linked)) {
      this.#mounter.refuse(`The link names no tree that can be fetched. ${linked.problem}`);
    }
  }

  /** Mounts what a link names, and makes the link's call on it where it has one. */
  async #acceptOffer(link: LinkedTree, hasCall: boolean): Promise<void> {
    const choice = choiceOfLink(link);
    if (!hasCall) {
      await this.#replaceTree(choice);
    } else if (await this.#mounter.mount(choice)) {
      await this.#call();
    }
  }

  async #dismissOffer(): Promise<void> {
    const session = await this.#session;
    this.#address.setLink(session.link);
    if (!session.hasTree) {
      await this.#replaceTree(SAMPLE_TREE);
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
      await this.#mounter.settled;
      const record = await session.call(this.#draft, controller.signal);
      this.#history.add(record);
      this.#result.show(record, { isNew: true });
    } catch (error) {
      if (!controller.signal.aborted) {
        const isStopped = error instanceof TreeglassError && error.kind === "TimedOut";
        const what = isStopped ? "" : "The call was not made: ";
        this.#status.finish("failed", `${what}${sentenceOf(error)}`);
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
