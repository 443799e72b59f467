/** The arguments as a box or a form, and the sentence that says what is wrong with them. */
import type { JsonObject } from "../../ui/json.ts";
import { makeElement } from "../../ui/make-element.ts";
import { Problem, parseArguments, renderArguments } from "../attributes.ts";
import { loadViewsModule } from "../runs/late-modules.ts";
import type { ArgumentsForm } from "./arguments-form.ts";

/** A text area that grows with its text. */
export class ArgumentsField {
  readonly element: HTMLElement;
  readonly #box = makeElement("textarea", {
    id: "arguments",
    part: "arguments",
    "aria-describedby": "problem",
    rows: 1,
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    dir: "ltr",
  });
  readonly #written = makeElement(
    "div",
    {},
    makeElement("label", { for: "arguments" }, "Arguments"),
    this.#box,
  );
  #form: ArgumentsForm | null = null;
  #schema: unknown;
  readonly #problem = makeElement("p", { id: "problem", class: "problem", part: "problem" });

  tool = "";
  readonly #onEdit: () => void;

  /** `onRun` is called for Ctrl and Enter, and for Cmd and Enter; `onEdit` after each change. */
  constructor(onRun: () => void, onEdit: () => void) {
    this.#onEdit = onEdit;
    this.#problem.hidden = true;
    this.element = makeElement("div", { class: "arguments" }, this.#written, this.#problem);
    this.#box.addEventListener("input", () => this.#edited());
    this.element.addEventListener("keydown", (event) => {
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
    this.#form?.show(this.value ?? {});
    this.#onEdit();
  }

  /** Shows fields in place of the box; the box stays if their module does not load. */
  async showForm(isForm: boolean): Promise<void> {
    if (isForm && this.#form === null) {
      const views = await loadViewsModule().catch(() => null);
      this.#form ??= views && this.#makeForm(views.ArgumentsForm);
      views?.adoptViewStyles(this.element.getRootNode());
    }
    if (this.#form !== null) {
      this.#written.hidden = isForm;
      this.#form.element.hidden = !isForm;
    }
  }

  #makeForm(Form: typeof ArgumentsForm): ArgumentsForm {
    const form = new Form((values) => {
      this.#box.value = renderArguments(values);
      this.#edited();
    });
    form.schema = this.#schema;
    form.isReadonly = this.isReadonly;
    form.show(this.value ?? {});
    this.#written.after(form.element);
    return form;
  }

  set schema(schema: unknown) {
    this.#schema = schema;
    if (this.#form !== null) {
      this.#form.schema = schema;
    }
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
    if (this.#form !== null) {
      this.#form.isReadonly = isReadonly;
    }
  }

  /** Shows and returns what is wrong with the text; null if it is a JSON object. */
  check(): Problem | null {
    const parsed = parseArguments(this.text, this.tool);
    const problem = parsed instanceof Problem ? parsed : null;
    this.#say(problem);
    return problem;
  }

  fit(): void {
    if (!CSS.supports("field-sizing", "content")) {
      this.#box.style.height = "auto";
      // The scroll height leaves out the two borders of 1px.
      this.#box.style.height = `${this.#box.scrollHeight + 2}px`;
    }
  }

  #edited(): void {
    this.fit();
    this.#onEdit();
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
