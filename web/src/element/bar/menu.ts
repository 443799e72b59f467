/** The menu of a demo: ways to take its call along. */
import { sentenceOf } from "../../ui/error-sentence.ts";
import { makeButton, makeElement } from "../../ui/make-element.ts";

export interface MenuOffer {
  readonly program: string;
  /** The address of a playground with the tree and the call; null if the tree has no address. */
  readonly playgroundAddress: string | null;
}

export interface MenuActions {
  /** Returns null if something is wrong with the call. */
  readonly openMenu: () => Promise<MenuOffer | null>;
  readonly onCopyCode: (program: string) => void;
}

/** A disclosure that closes on Escape, and when the focus leaves it. */
export class Menu {
  readonly element: HTMLDetailsElement;
  readonly #actions: MenuActions;
  readonly #summary = makeElement("summary", { "aria-label": "More", title: "More" }, "\u22ef");
  readonly #items = makeElement("div");

  constructor(actions: MenuActions) {
    this.#actions = actions;
    this.element = makeElement(
      "details",
      { class: "menu", part: "menu" },
      this.#summary,
      this.#items,
    );
    this.element.addEventListener("toggle", () => {
      if (this.element.open) {
        void this.#fill();
      }
    });
    this.element.addEventListener("keydown", ({ key }) => {
      if (key === "Escape" && this.element.open) {
        this.#close();
      }
    });
    this.element.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget instanceof Node && !this.element.contains(relatedTarget)) {
        this.element.open = false;
      }
    });
  }

  async #fill(): Promise<void> {
    try {
      const offer = await this.#actions.openMenu();
      this.#items.replaceChildren(...(offer === null ? [] : this.#makeItems(offer)));
      if (offer === null) {
        this.#items.append(makeElement("p", {}, "Correct the arguments first."));
      }
    } catch (error) {
      this.#items.replaceChildren(makeElement("p", {}, sentenceOf(error)));
    }
  }

  #makeItems({ program, playgroundAddress }: MenuOffer): readonly HTMLElement[] {
    const copy = makeButton("Copy as code", () => {
      this.#actions.onCopyCode(program);
      this.#close();
    });
    if (playgroundAddress === null) {
      return [copy];
    }
    const link = { href: playgroundAddress, target: "_blank", rel: "noopener" };
    return [makeElement("a", link, "Open in the playground"), copy];
  }

  #close(): void {
    this.element.open = false;
    this.#summary.focus();
  }
}
