/** Lists the changes: first those that act by themselves when exported. */
import { makeElement } from "../../ui/make-element.ts";
import { type FileActions, FileItem } from "./file-item.ts";
import { arrange } from "./left-rows.ts";
import type { Change } from "./reviewed-client.ts";

/** Files open by themselves while they have no more changed lines together. */
const MAX_OPEN_LINES = 500;
/** No more files than that, since each is compared for itself. */
const MAX_OPEN_FILES = 20;

/** Keeps the item of a path as long as the path is changed. */
export class FileList {
  readonly element = makeElement("div", { class: "files", tabindex: -1 });
  readonly #actions: FileActions;
  readonly #acting = makeElement("ul");
  readonly #others = makeElement("ul");
  #items = new Map<string, FileItem>();

  constructor(actions: FileActions) {
    this.#actions = actions;
    this.element.append(
      makeElement("h2", { class: "acting" }, "These act by themselves when exported"),
      this.#acting,
      makeElement("h2", {}, "Other changes"),
      this.#others,
    );
  }

  get leftOut(): string[] {
    return [...this.#items].flatMap(([path, { isLeftOut }]) => (isLeftOut ? [path] : []));
  }

  item(path: string): FileItem | undefined {
    return this.#items.get(path);
  }

  /** Shows the changes; lines of opened files are loaded again, at `path` or at all paths. */
  async show(changes: readonly Change[], path: string | null): Promise<void> {
    const before = this.#items;
    this.#items = new Map(
      changes.map((change) => [
        change.path,
        before.get(change.path) ?? new FileItem(change, this.#actions),
      ]),
    );
    arrange(this.#acting, this.#itemsThat(true));
    arrange(this.#others, this.#itemsThat(false));
    for (const change of changes) {
      await before.get(change.path)?.update(change, path === null || path === change.path);
    }
    await this.#openNew(before);
  }

  async #openNew(before: ReadonlyMap<string, FileItem>): Promise<void> {
    let lines = 0;
    // As they stand on the page.
    const items = [...this.#itemsThat(true), ...this.#itemsThat(false)];
    for (const item of items.slice(0, MAX_OPEN_FILES)) {
      const { path, added, removed } = item.change;
      const more = lines + added + removed;
      if (more <= MAX_OPEN_LINES) {
        lines = more;
        if (!before.has(path)) {
          await item.open();
        }
      }
    }
  }

  #itemsThat(doAct: boolean): FileItem[] {
    return [...this.#items.values()].filter(
      ({ change }) => (change.flags.acts !== undefined) === doAct,
    );
  }
}
