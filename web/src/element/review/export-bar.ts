/** The line below the changes: what an export holds, and its formats. */
import { formatCount, formatCounted } from "../../page-parts/format-quantities.ts";
import { makeElement } from "../../page-parts/make-element.ts";
import { makeButton } from "./decision-buttons.ts";
import type { Change, ExportFormat } from "./reviewed-client.ts";

const FORMATS: readonly (readonly [ExportFormat, string])[] = [
  ["patch", "Patch"],
  ["archive", "Archive"],
  ["manifest", "Manifest"],
];

export class ExportBar {
  readonly element: HTMLElement;
  readonly #words = makeElement("span", { class: "export-words" });
  readonly #buttons: readonly HTMLButtonElement[];

  constructor(onExport: (format: ExportFormat) => void) {
    this.#buttons = FORMATS.map(([format, word]) => {
      const kind = format === "patch" ? "export main" : "export";
      const button = makeButton(word, `${word}: export`, kind);
      button.addEventListener("click", () => onExport(format));
      return button;
    });
    this.element = makeElement(
      "div",
      { class: "export-bar", part: "export-bar" },
      this.#words,
      makeElement(
        "div",
        { class: "buttons", role: "group", "aria-label": "Export" },
        makeElement("span", { class: "export-title", "aria-hidden": "true" }, "Export"),
        ...this.#buttons,
      ),
    );
  }

  /** Says what an export holds now. */
  show(changes: readonly Change[], leftOut: readonly string[]): void {
    this.#words.textContent = wordExport(changes, leftOut);
    for (const button of this.#buttons) {
      button.disabled = leftOut.length === changes.length;
    }
  }
}

/** Returns what an export holds: also what nobody has decided about, since it is proposed still. */
export function wordExport(changes: readonly Change[], leftOut: readonly string[]): string {
  const out = new Set(leftOut);
  const exported = changes.filter(({ path }) => !out.has(path));
  const pending = exported.filter(({ decision }) => decision === "pending").length;
  if (exported.length === 0) {
    return "Every change is left out, so there is nothing to export.";
  }
  const whole =
    out.size === 0
      ? `An export holds ${exported.length === 1 ? "the change" : `all ${formatCount(exported.length)} changes`}`
      : `An export holds ${formatCount(exported.length)} of ${formatCounted(changes.length, "change")}`;
  return pending === 0 ? `${whole}.` : `${whole}; ${formatCount(pending)} not taken yet.`;
}
