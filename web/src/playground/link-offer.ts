/** Asks before the page fetches a tree that a link names: no link may start a request by itself. */

import { showName } from "../page-parts/hostile-characters.ts";
import { findElement, makeElement } from "../page-parts/make-element.ts";
import { type LinkedTree, nameHosts, nameLaterHosts, nameLink, nameSender } from "./linked-tree.ts";

export interface LinkOfferActions {
  /** `hasCall` tells whether the link also names a call. */
  readonly onAccept: (link: LinkedTree, hasCall: boolean) => void;
  readonly onDismiss: () => void;
}

export class LinkOffer {
  readonly #element = findElement("link-offer", HTMLElement);
  readonly #text = findElement("link-offer-text", HTMLElement);
  readonly #accept = findElement("link-offer-accept", HTMLButtonElement);
  #link: LinkedTree | null = null;
  #hasCall = false;

  constructor({ onAccept, onDismiss }: LinkOfferActions) {
    this.#accept.addEventListener("click", () => {
      if (this.#link !== null) {
        onAccept(this.#link, this.#hasCall);
      }
    });
    findElement("link-offer-dismiss", HTMLButtonElement).addEventListener("click", () => {
      this.hide();
      onDismiss();
    });
  }

  /** Whether the question is shown and not answered yet. */
  get isOpen(): boolean {
    return this.#link !== null;
  }

  show(link: LinkedTree, hasCall: boolean): void {
    this.#link = link;
    this.#hasCall = hasCall;
    const { kind, specifier } = link;
    const name = makeElement("span", { class: "link-name" });
    name.append(showName(nameLink(link)));
    this.#text.replaceChildren(
      "This link names a tree on the web: ",
      name,
      `. To open it, the page has to contact ${nameHosts(kind, specifier)}.${nameLaterHosts(kind)}`,
    );
    this.#accept.textContent = `Fetch from ${nameSender(kind, specifier)}`;
    this.#element.hidden = false;
  }

  hide(): void {
    const hadFocus = this.#element.contains(document.activeElement);
    this.#link = null;
    this.#element.hidden = true;
    if (hadFocus) {
      findElement("tree-pane", HTMLElement).focus();
    }
  }
}
