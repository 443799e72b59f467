/** The form for the model: provider, endpoint, model name and key. */

import { makeElement } from "../../page-parts/make-element.ts";
import type { ToolFamily } from "../tool-notes.ts";
import type { ModelSettings } from "./agent-model.ts";
import {
  forgetEndpoint,
  type RememberedEndpoint,
  recallEndpoint,
  rememberEndpoint,
} from "./key-memory.ts";
import { toolsOf } from "./model-tools.ts";
import { findProvider, PROVIDERS, type Provider } from "./providers.ts";

/** A complete choice, or a sentence about the field that is missing or wrong. */
export type ModelChoice = AskedModel | { readonly problem: string };

/** Who answers, and the tools that it gets. */
export interface AskedModel {
  readonly provider: Provider;
  readonly settings: ModelSettings;
  /** Whose tools it gets, with those that change files; undefined for all that read. */
  readonly family: ToolFamily | undefined;
}

const FAMILIES = ["codex", "envelope", "Forge"] as const satisfies ToolFamily[];

const MEMORY_NOTE = "Kept in memory until you leave, unless you say otherwise.";

/** A browser's storage belongs to an origin, not to a page. */
const KEPT_NOTE = `Kept in this browser until you say Forget, where every page of ${location.origin} can read it.`;

/** The fields; they hold the only copy of a key, unless the visitor has ticked Remember. */
export class ModelForm {
  readonly element: HTMLFormElement;
  readonly #provider = makeElement("select", { id: "agent-provider" });
  readonly #note = makeElement("p", { class: "help", id: "agent-provider-note" });
  readonly #tools = makeElement("select", { id: "agent-tools" });
  readonly #toolsField = makeElement(
    "div",
    { class: "field" },
    label("agent-tools", "Tools of the model"),
    this.#tools,
  );
  readonly #address = makeTextInput("agent-address", { inputmode: "url" });
  readonly #model = makeTextInput("agent-model", {
    placeholder: "as the endpoint names it",
    "aria-required": "true",
  });
  readonly #key = makeElement("input", {
    id: "agent-key",
    type: "password",
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": "agent-key-note",
  });
  readonly #remember = makeElement("input", { id: "agent-remember", type: "checkbox" });
  readonly #forget = makeElement("button", { type: "button" }, "Forget");
  readonly #keyNote = makeElement("p", { class: "help", id: "agent-key-note", role: "status" });
  readonly #endpoint: HTMLElement;
  readonly #onChange: () => void;
  /** The origin that the key in the field belongs to. */
  #keyOrigin: string | null = null;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
    for (const { name, label, isOffered } of PROVIDERS) {
      if (isOffered()) {
        this.#provider.append(makeElement("option", { value: name }, label));
      }
    }
    for (const family of FAMILIES) {
      const names = toolsOf(family).join(", ");
      this.#tools.append(makeElement("option", { value: family }, `${family}: ${names}`));
    }
    this.#tools.append(makeElement("option", { value: "" }, "All that read"));
    this.#provider.setAttribute("aria-describedby", "agent-provider-note");
    this.#endpoint = this.#makeEndpoint();
    // A form, because browsers handle a password field only within one.
    this.element = makeElement(
      "form",
      { class: "agent-model", novalidate: true, autocomplete: "off" },
      makeElement(
        "div",
        { class: "field" },
        label("agent-provider", "Who answers"),
        this.#provider,
      ),
      this.#note,
      this.#endpoint,
      this.#toolsField,
    );
    this.#listen();
    this.#showProvider();
  }

  /** The chosen provider, even if the other fields are empty. */
  get provider(): Provider {
    return findProvider(this.#provider.value);
  }

  /** Returns the choice, or focuses the field that is missing. */
  read(): ModelChoice {
    const { provider } = this;
    const inputs = [this.#address, this.#model, this.#key];
    for (const input of inputs) {
      input.removeAttribute("aria-invalid");
    }
    const settings = this.#typed();
    const chosen = FAMILIES.find((name) => name === this.#tools.value);
    const family = provider.name === "tour" ? undefined : chosen;
    if (provider.address === null) {
      return { provider, settings: { address: "", model: "", key: "" }, family };
    }
    if (originOf(settings.address) === null) {
      return this.#refuse(
        this.#address,
        "Give the endpoint's full address, such as http://localhost:11434/v1.",
      );
    }
    if (this.#guardKey()) {
      const problem =
        "The key belonged to another endpoint. Type a key for this one, if it needs one.";
      return this.#refuse(this.#key, problem);
    }
    if (settings.model === "") {
      return this.#refuse(this.#model, "Type the endpoint's name for the model.");
    }
    if (provider.isKeyRequired && settings.key === "") {
      return this.#refuse(this.#key, `${provider.label} answers only with a key.`);
    }
    this.#keep();
    return { provider, settings, family };
  }

  #refuse(input: HTMLInputElement, problem: string): ModelChoice {
    input.setAttribute("aria-invalid", "true");
    input.focus();
    return { problem };
  }

  /** Stores the fields if the visitor ticked Remember; unticks it if the browser cannot store them. */
  #keep(): void {
    if (!this.#remember.checked) {
      return;
    }
    if (!rememberEndpoint(this.provider.name, this.#typed())) {
      this.#remember.checked = false;
      this.#keyNote.textContent = "This browser stores nothing for this page.";
    }
  }

  #typed(): RememberedEndpoint {
    return {
      address: this.#address.value.trim(),
      model: this.#model.value.trim(),
      key: this.#key.value.trim(),
    };
  }

  #makeEndpoint(): HTMLElement {
    const remember = makeElement(
      "label",
      { class: "agent-check", for: "agent-remember" },
      this.#remember,
      "Remember on this device",
    );
    return makeElement(
      "div",
      { class: "agent-endpoint" },
      makeElement("div", { class: "field" }, label("agent-address", "Endpoint"), this.#address),
      makeElement("div", { class: "field" }, label("agent-model", "Model"), this.#model),
      makeElement("div", { class: "field" }, label("agent-key", "Key"), this.#key),
      makeElement("div", { class: "agent-remember" }, remember, this.#forget),
      this.#keyNote,
    );
  }

  #listen(): void {
    this.element.addEventListener("submit", (event) => event.preventDefault());
    this.#provider.addEventListener("change", () => {
      this.#showProvider();
      this.#onChange();
    });
    this.#address.addEventListener("change", () => this.#guardKey());
    for (const input of [this.#address, this.#model, this.#key]) {
      input.addEventListener("change", () => this.#keep());
      input.addEventListener("input", () => {
        input.removeAttribute("aria-invalid");
        this.#onChange();
      });
    }
    this.#key.addEventListener("input", () => {
      this.#keyOrigin = originOf(this.#address.value);
    });
    this.#remember.addEventListener("change", () => {
      if (this.#remember.checked) {
        this.#keyNote.textContent = KEPT_NOTE;
        this.#keep();
      } else {
        this.#forgetNow(MEMORY_NOTE);
      }
    });
    this.#forget.addEventListener("click", () => {
      this.#key.value = "";
      this.#remember.checked = false;
      this.#forgetNow("Forgotten, and the field is cleared.");
      this.#onChange();
    });
  }

  #forgetNow(said: string): void {
    forgetEndpoint(this.provider.name);
    this.#keyNote.textContent = said;
  }

  #showProvider(): void {
    const { name, address, note } = this.provider;
    const remembered = recallEndpoint(name);
    this.#note.textContent = note;
    this.#toolsField.hidden = name === "tour";
    this.#endpoint.hidden = address === null;
    this.#address.value = remembered?.address ?? address ?? "";
    this.#model.value = remembered?.model ?? "";
    this.#key.value = remembered?.key ?? "";
    this.#remember.checked = remembered !== null;
    this.#keyOrigin = originOf(this.#address.value);
    this.#keyNote.textContent = remembered === null ? MEMORY_NOTE : KEPT_NOTE;
  }

  /** Clears a key that was typed for another origin, and returns whether it did. */
  #guardKey(): boolean {
    const origin = originOf(this.#address.value);
    const isOther = this.#key.value !== "" && origin !== this.#keyOrigin;
    if (isOther) {
      this.#key.value = "";
      this.#keyNote.textContent =
        "The key belonged to the other endpoint, so the field was cleared.";
    }
    this.#keyOrigin = origin;
    return isOther;
  }
}

function originOf(address: string): string | null {
  try {
    const { origin, protocol } = new URL(address.trim());
    return protocol === "https:" || protocol === "http:" ? origin : null;
  } catch {
    return null;
  }
}

function label(id: string, text: string): HTMLLabelElement {
  return makeElement("label", { for: id }, text);
}

function makeTextInput(id: string, attributes: Readonly<Record<string, string>>): HTMLInputElement {
  const plain = { type: "text", spellcheck: "false", autocomplete: "off", autocapitalize: "none" };
  return makeElement("input", { id, ...plain, ...attributes });
}
