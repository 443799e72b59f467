/** Connects the parts of the page: start, mounts, views, and the page's address. */

import type { TimedProgressEvent } from "../index.ts";
import { findElement } from "../page-parts/make-element.ts";
import { wordProgress } from "../page-parts/progress-words.ts";
import { loadTreePage, type TreeEntry, type TreePage } from "../page-parts/tree-pages.ts";
import { AgentPanel } from "./agent/agent-panel.ts";
import type { ChosenTree } from "./chosen-tree.ts";
import { CompareView } from "./compare/compare-view.ts";
import { Console, FIRST_ARGUMENTS } from "./console.ts";
import { startCopyLink } from "./copy-link.ts";
import { startDropTarget } from "./drop-target.ts";
import { LinkOffer } from "./link-offer.ts";
import { isLinkProblem, type LinkedTree } from "./linked-tree.ts";
import { AddressWriter, type PageAddress } from "./location-hash.ts";
import { type PlaygroundHost, PlaygroundState } from "./playground-state.ts";
import { Sections } from "./sections.ts";
import type { SourceActions } from "./source-actions.ts";
import { SAMPLE_TREE, startSourceChooser } from "./source-chooser.ts";
import { choiceOfLink, startSourcesDialog } from "./sources-dialog.ts";
import { StatusLine } from "./status-line.ts";
import { MOUNT_PATH } from "./tool-notes.ts";
import { TreeMounter } from "./tree-mounter.ts";
import { TreeSelection } from "./tree-selection.ts";
import { TreeView } from "./tree-view.ts";
import type { ViewName } from "./view-names.ts";
import { Views } from "./views.ts";

/** Where the page's address leads. */
interface PageTarget {
  readonly link: LinkedTree | null;
  /** Whether the link leads to the page's tree; a tree from this device has no address. */
  readonly isNamed: boolean;
}

/** Connects the parts of the page to one session. */
export class Playground {
  readonly #status = new StatusLine();
  readonly #sections = new Sections();
  readonly #selection = new TreeSelection({
    onList: (entry) => this.#list(entry),
    onRead: (entry) => this.#console.runOn(entry, "file"),
  });
  readonly #tree = new TreeView({
    loadPage: (path, offset) => this.#loadPage(path, offset),
    onSelect: (entry) => this.#select(entry),
    onOpen: (entry) => this.#console.runOn(entry, "file"),
  });
  readonly #offer = new LinkOffer({
    onAccept: (link, hasCall) => void this.#acceptOffer(link, hasCall),
    onDismiss: () => void this.#dismissOffer(),
  });
  readonly #session: Promise<PlaygroundState>;
  readonly #mounter: TreeMounter;
  readonly #console: Console;
  readonly #agent: AgentPanel;
  readonly #compare: CompareView;
  readonly #views: Views;
  readonly #address: AddressWriter;
  #linked: PageTarget = { link: null, isNamed: true };

  /** `host` is for a page that holds its files itself. */
  constructor(host?: PlaygroundHost) {
    this.#status.begin("Loading Python");
    this.#session = PlaygroundState.start(
      (event) => this.#showStart(event),
      () => this.#showChanges(),
      host,
    );
    this.#mounter = new TreeMounter(
      { session: this.#session, status: this.#status, sections: this.#sections },
      { onMounted: () => this.#showTree(), onLost: () => this.#loseTree() },
    );
    this.#views = new Views(this.#sections, (view) => this.#meetView(view));
    const page = { session: this.#session, settled: () => this.#mounter.settled };
    this.#console = new Console({
      ...page,
      status: this.#status,
      onShowResult: () => {
        this.#views.show("console");
        this.#sections.show("result");
      },
    });
    this.#agent = new AgentPanel({
      session: this.#session,
      settled: async () => void (await this.#mounter.settled),
      onOpenCall: (call) => this.#console.runCall({ ...call, maxOutputBytes: null }),
    });
    this.#compare = new CompareView({
      ...page,
      onChange: () => this.#address.writeSoon(),
      onOpenCall: (call) => this.#console.runCall(call),
    });
    this.#address = new AddressWriter(() => ({
      link: this.#linked.link,
      view: this.#views.current,
      comparison: this.#compare.comparison,
      call: this.#console.draft,
    }));
    this.#console.draft.onChange(() => this.#address.writeSoon());
    this.#fillPage();
  }

  /**
   * Mounts the sample and makes the first call: the address's, or a listing of the root.
   *
   * If the address names a linked tree, asks whether to fetch that instead.
   */
  async open(): Promise<void> {
    window.addEventListener("hashchange", () => void this.#follow(this.#address.read()));
    // Read it now: the page writes the address while it starts.
    const address = this.#address.read();
    if (this.#meetAddress(address)) {
      if ((await this.#started()) !== null) {
        this.#status.finish("ready", "No tree is mounted yet");
      }
      return;
    }
    if (address.call === null) {
      this.#console.draft.setArguments(FIRST_ARGUMENTS);
    }
    // A fast visitor may have made a call or chosen another tree by now.
    if (await this.#mounter.mount(SAMPLE_TREE)) {
      this.#refuseLink(address);
      this.#compareWhereShown();
      if (!this.#console.hasCalled) {
        await this.#console.call();
      }
    }
  }

  async #follow(address: PageAddress): Promise<void> {
    if (this.#meetAddress(address)) {
      return;
    }
    if (this.#offer.isOpen) {
      await this.#withdrawOffer();
    }
    this.#refuseLink(address);
    this.#compareWhereShown();
    if (address.call !== null) {
      await this.#console.call();
    }
  }

  /** Withdraws the question about a link that the address no longer names. */
  async #withdrawOffer(): Promise<void> {
    this.#offer.hide();
    const session = await this.#started();
    this.#linkTo(session?.choice ?? null);
    if (session?.hasTree === false) {
      await this.#mounter.mount(SAMPLE_TREE);
    }
  }

  #fillPage(): void {
    findElement("tree-scroll", HTMLElement).append(this.#tree.element);
    findElement("agent-view", HTMLElement).append(this.#agent.element);
    findElement("compare-view", HTMLElement).append(this.#compare.element);
    const actions: SourceActions = {
      onChoose: (choice) => void this.#replaceTree(choice),
      onRefuse: (sentence) => this.#mounter.refuse(sentence),
    };
    startSourceChooser(actions);
    startSourcesDialog(actions);
    startDropTarget(actions);
    startCopyLink(this.#status, () => ({
      address: this.#address.render(),
      isNamed: this.#linked.isNamed,
    }));
  }

  /** The session; null if Python did not start, which the console reports. */
  #started(): Promise<PlaygroundState | null> {
    return this.#session.catch(() => null);
  }

  #showStart(event: TimedProgressEvent): void {
    const words = wordProgress(event);
    if (words !== null) {
      this.#status.advance(words, event.loaded, event.total);
    }
  }

  /** Shows the tree with what calls propose, and the proposals. */
  #showChanges(): void {
    this.#agent.refreshChanges();
    void this.#tree.refresh();
  }

  /** Mounts another tree and calls the selected tool on it, since the shown answer is about the old one. */
  async #replaceTree(choice: ChosenTree): Promise<void> {
    if (await this.#mounter.mount(choice)) {
      this.#compare.forget();
      this.#compareWhereShown();
      await this.#console.callAnew();
    }
  }

  async #showTree(): Promise<void> {
    this.#offer.hide();
    this.#linkTo((await this.#session).choice);
    this.#console.forgetPlaces();
    this.#selection.show(null);
    await this.#tree.show(MOUNT_PATH);
  }

  #loseTree(): void {
    this.#console.forgetPlaces();
    this.#selection.show(null);
    this.#tree.clear();
  }

  /** Makes the address lead to a tree; for a tree from this device it names no tree. */
  #linkTo(choice: Pick<ChosenTree, "link"> | null): void {
    const link = choice?.link ?? null;
    this.#linked = { link, isNamed: link !== null || choice === null || choice === SAMPLE_TREE };
    this.#address.writeSoon();
  }

  #meetView(view: ViewName): void {
    this.#selection.setListWords(view === "compare" ? "Compare" : "List");
    this.#address.writeSoon();
    this.#compareWhereShown();
  }

  #compareWhereShown(): void {
    // While the offer is open, the comparison is about the link's tree, which is not mounted yet.
    if (this.#views.current === "compare" && !this.#offer.isOpen) {
      void this.#compare.begin();
    }
  }

  /**
   * Takes call, comparison and view from an address; fetches nothing.
   *
   * If the address names a linked tree, asks whether to fetch it; returns whether it asks.
   */
  #meetAddress({ call, comparison, link, view }: PageAddress): boolean {
    if (call !== null) {
      this.#console.draft.replace(call);
    }
    const isOffered = link !== null && !isLinkProblem(link);
    if (isOffered) {
      this.#linkTo({ link });
      this.#offer.show(link, call !== null);
    }
    if (comparison !== null) {
      this.#compare.setComparison(comparison);
    }
    this.#views.show(view);
    if (isOffered) {
      this.#sections.show("tree");
    }
    return isOffered;
  }

  /** Says what is wrong with a link. Call it after a mount, since each mount clears the message. */
  #refuseLink({ link }: PageAddress): void {
    if (link !== null && isLinkProblem(link)) {
      this.#mounter.refuse(`The link does not name a tree that can be fetched. ${link.problem}`);
    }
  }

  /** Mounts the tree of a link, then makes the link's call, or calls the selected tool. */
  async #acceptOffer(link: LinkedTree, hasCall: boolean): Promise<void> {
    if (!(await this.#mounter.mount(choiceOfLink(link)))) {
      return;
    }
    this.#sections.show(this.#views.current === "console" ? "tree" : this.#views.current);
    this.#compare.forgetAnswers();
    this.#compareWhereShown();
    await (hasCall ? this.#console.call() : this.#console.callAnew());
  }

  async #dismissOffer(): Promise<void> {
    const session = await this.#started();
    this.#linkTo(session?.choice ?? null);
    if (session?.hasTree === false) {
      await this.#replaceTree(SAMPLE_TREE);
    } else {
      this.#compareWhereShown();
    }
  }

  async #loadPage(path: string, offset: number): Promise<TreePage> {
    const page = await loadTreePage((await this.#session).client, path, offset);
    if (path === "" && offset === 0) {
      this.#console.meetTree(page);
    }
    return page;
  }

  #select(entry: TreeEntry): void {
    this.#selection.show(entry);
    this.#console.point(entry);
    if (entry.kind === "dir") {
      this.#compare.point(entry.path, { isShown: this.#views.current === "compare" });
    }
  }

  #list(entry: TreeEntry): void {
    if (this.#views.current === "compare") {
      this.#compare.point(entry.path, { isShown: true });
      this.#sections.show("compare");
    } else {
      this.#console.runOn(entry, "directory");
    }
  }
}
