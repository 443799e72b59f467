/** Shows one file, with line numbers that a selection of the text leaves out. */
import { sentenceOf } from "../../ui/error-sentence.ts";
import { showName } from "../../ui/hostile-characters.ts";
import { makeButton, makeElement } from "../../ui/make-element.ts";
import type { OpenTree } from "../runs/demo-call.ts";
import { loadFilePage, type NumberedLine, toToolPath } from "./file-pages.ts";

export interface ReadingViewActions {
  readonly announce: (words: string) => void;
  readonly onClose: () => void;
}

/** Shows the pages of a file below each other. */
export class ReadingView {
  readonly element: HTMLElement;
  readonly #path = makeElement("span", { class: "path", dir: "ltr" });
  readonly #lines = makeElement("div", {
    class: "lines",
    part: "lines",
    tabindex: 0,
    role: "group",
  });
  readonly #more = makeButton("", () => void this.#load(), { class: "more" });
  readonly #announce: (words: string) => void;
  #shown: { readonly tree: OpenTree; readonly path: string; offset: number | null } | null = null;

  constructor({ announce, onClose }: ReadingViewActions) {
    this.#announce = announce;
    const close = makeButton("Close file", () => {
      this.close();
      onClose();
    });
    const head = makeElement("div", { class: "files-head" }, this.#path, close);
    this.element = makeElement("div", { class: "reading", part: "reading" }, head, this.#lines);
    this.element.hidden = true;
  }

  async show(tree: OpenTree, path: string): Promise<void> {
    this.#shown = { tree, path, offset: 1 };
    const filePath = toToolPath(tree.mountPath, path);
    this.#path.replaceChildren(showName(path));
    this.#lines.setAttribute("aria-label", `Lines of ${filePath}`);
    this.#lines.replaceChildren();
    this.#lines.scrollTop = 0;
    this.element.hidden = false;
    await this.#load();
    this.element.scrollIntoView({ block: "nearest" });
  }

  close(): void {
    this.#shown = null;
    this.element.hidden = true;
    this.#lines.replaceChildren();
  }

  async #load(): Promise<void> {
    const shown = this.#shown;
    const offset = shown?.offset ?? null;
    if (shown === null || offset === null) {
      return;
    }
    // Null until the page has arrived, so that a second click does not load it twice.
    shown.offset = null;
    const { client, mountPath } = shown.tree;
    this.#lines.setAttribute("aria-busy", "true");
    try {
      const page = await loadFilePage(client, toToolPath(mountPath, shown.path), offset);
      if (shown === this.#shown) {
        this.#append(page.lines, page.nextOffset);
        shown.offset = page.nextOffset;
      }
    } catch (error) {
      shown.offset = offset;
      if (shown === this.#shown) {
        this.#say(sentenceOf(error));
      }
    } finally {
      this.#lines.removeAttribute("aria-busy");
    }
  }

  #append(lines: readonly NumberedLine[], nextOffset: number | null): void {
    const hadFocus = this.#more.matches(":focus");
    this.#more.remove();
    this.#lines.querySelector(":scope > p")?.remove();
    const last = lines.at(-1)?.number;
    if (last === undefined) {
      this.#say("This file is empty.");
      return;
    }
    this.#lines.style.setProperty("--_digits", String(String(last).length));
    this.#lines.append(...lines.map(makeLine));
    if (nextOffset !== null) {
      this.#more.textContent = `More lines (from ${nextOffset})`;
      this.#lines.append(this.#more);
    }
    if (hadFocus) {
      (nextOffset === null ? this.#lines : this.#more).focus({ preventScroll: true });
    }
    this.#announce(`Lines up to ${last} are shown`);
  }

  #say(sentence: string): void {
    this.#lines.querySelector(":scope > p")?.remove();
    this.#lines.append(makeElement("p", {}, sentence));
    this.#announce(sentence);
  }
}

function makeLine({ number, text }: NumberedLine): HTMLElement {
  const gutter = makeElement("span", {
    class: "number",
    "data-number": number,
    "aria-hidden": "true",
  });
  return makeElement("div", { class: "line" }, gutter, makeElement("code", {}, text));
}
