/** The box with the arguments, and the sentence that says what is wrong with them. */
import type { JsonObject } from "../ui/json.ts";
import { makeElement } from "../ui/make-element.ts";
import { Problem, parseArguments } from "./attributes.ts";

/** A text area that grows with its text. */
export class ArgumentsField {
  readonly element: HTMLElement;
  readonly #box = makeElement("textarea", {
    part: "arguments",
    "aria-label": "Arguments",
    "aria-describedby": "problem",
    rows: 1,
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    dir: "ltr",
  });
  readonly #problem = makeElement("p", { id: "problem", class: "problem", part: "problem" });

  /** The tool that the arguments are for. */
  tool = "";

  /** `onRun` is called for Ctrl and Enter, and for Cmd and Enter. */
  constructor(onRun: () => void) {
    this.#problem.hidden = true;
    this.element = makeElement("div", { class: "arguments" }, this.#box, this.#problem);
    this.#box.addEventListener("input", () => this.#edited());
    this.#box.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        onRun();
      }
    });
  }

  get text(): string {
    return this.#box.value;
  }

  set text(text: string) {
    this.#box.value = text;
    this.#say(null);
    this.fit();
  }

  /** The arguments; null if the text is not a JSON object. */
  get value(): JsonObject | null {
    const parsed = parseArguments(this.text, this.tool);
    return parsed instanceof Problem ? null : parsed;
  }

  get isReadonly(): boolean {
    return this.#box.readOnly;
  }

  set isReadonly(isReadonly: boolean) {
    this.#box.readOnly = isReadonly;
  }

  /** Shows and returns what is wrong with the text; null if it is a JSON object. */
  check(): Problem | null {
    const parsed = parseArguments(this.text, this.tool);
    const problem = parsed instanceof Problem ? parsed : null;
    this.#say(problem);
    return problem;
  }

  /** Gives the box the height of its text. */
  fit(): void {
    if (!CSS.supports("field-sizing", "content")) {
      this.#box.style.height = "auto";
      // The scroll height leaves out the two borders of 1px.
      this.#box.style.height = `${this.#box.scrollHeight + 2}px`;
    }
  }

  #edited(): void {
    this.fit();
    if (!this.#problem.hidden) {
      this.check();
    }
  }

  #say(problem: Problem | null): void {
    this.#problem.hidden = problem === null;
    this.#problem.textContent = problem?.sentence ?? "";
    this.#box.setAttribute("aria-invalid", String(problem !== null));
  }
}
