/** The form that names a tree on the web, and says which hosts its button contacts. */

import { findElement } from "../page-parts/make-element.ts";
import {
  checkLink,
  isLinkProblem,
  type LinkedTree,
  type LinkKind,
  nameHosts,
  nameLaterHosts,
  nameSender,
} from "./linked-tree.ts";

interface KindWords {
  readonly label: string;
  readonly placeholder: string;
  readonly help: string;
}

const WORDS: Readonly<Record<LinkKind, KindWords>> = {
  url: {
    label: "Address",
    placeholder: "https://example.org/tree.zip",
    help: "An archive, or a manifest written by treeglass pack. Its server has to let other sites read it (CORS).",
  },
  npm: {
    label: "Package",
    placeholder: "fflate@0.8.2",
    help: "Without a version: the latest. Each file is fetched when it is first read.",
  },
  github: {
    label: "Repository",
    placeholder: "owner/repository@v1",
    help: "A public one; after the @, a branch, tag or commit. Each file is fetched when it is first read.",
  },
};

const INTEGRITY_HELP = "The content's expected hash, as in HTML.";

export class LinkForm {
  readonly #kind = findElement("link-kind", HTMLSelectElement);
  readonly #label = findElement("link-label", HTMLElement);
  readonly #integrityField = findElement("link-integrity-field", HTMLElement);
  readonly #hosts = findElement("link-hosts", HTMLElement);
  readonly #submit = findElement("link-submit", HTMLButtonElement);
  readonly #fields = {
    specifier: findElement("link-specifier", HTMLInputElement),
    integrity: findElement("link-integrity", HTMLInputElement),
  } as const;

  constructor(onSubmit: (link: LinkedTree) => void) {
    this.#kind.addEventListener("change", () => this.#showKind());
    for (const field of Object.values(this.#fields)) {
      field.addEventListener("input", () => {
        this.#showProblem(field, null);
        this.#showHosts();
      });
    }
    findElement("link-form", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      const { specifier, integrity } = this.#fields;
      const checked = checkLink(this.#readKind(), specifier.value.trim(), integrity.value.trim());
      if (isLinkProblem(checked)) {
        const field = this.#fields[checked.field];
        this.#showProblem(field, checked.problem);
        field.focus();
      } else {
        onSubmit(checked);
      }
    });
    this.#showKind();
  }

  #readKind(): LinkKind {
    const { value } = this.#kind;
    return value === "npm" || value === "github" ? value : "url";
  }

  #showKind(): void {
    const kind = this.#readKind();
    const { label, placeholder } = WORDS[kind];
    this.#label.textContent = label;
    this.#fields.specifier.placeholder = placeholder;
    // Unseen but not removed, so that the elements below keep their place.
    this.#integrityField.classList.toggle("unseen", kind !== "url");
    this.#showProblem(this.#fields.specifier, null);
    this.#showProblem(this.#fields.integrity, null);
    this.#showHosts();
  }

  #showHosts(): void {
    const kind = this.#readKind();
    const specifier = this.#fields.specifier.value.trim();
    const hosts = nameHosts(kind, specifier) ?? "the host in the address";
    const sender = nameSender(kind, specifier);
    this.#hosts.textContent = `The button contacts ${hosts}; nothing is fetched before.${nameLaterHosts(kind)}`;
    this.#submit.textContent = sender === null ? "Fetch" : `Fetch from ${sender}`;
  }

  /** Shows the problem in place of the help, so that nothing moves. */
  #showProblem(field: HTMLInputElement, problem: string | null): void {
    const { help } = WORDS[this.#readKind()];
    const hint = field === this.#fields.integrity ? INTEGRITY_HELP : help;
    findElement(`${field.id}-help`, HTMLElement).textContent = problem ?? hint;
    field.setAttribute("aria-invalid", String(problem !== null));
  }
}
