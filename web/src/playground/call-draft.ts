/** The call that the form describes. Form, JSON view, tree and address share this one state. */

import { type JsonObject, parseJsonObject, renderJson } from "../page-parts/json.ts";
import type { CallText } from "./call-record.ts";

/** The part that changed the draft; a view skips its own changes, so that the caret stays. */
export type DraftOrigin = "fields" | "json" | "budget" | "elsewhere";

/**
 * Holds one text of arguments per tool, so that a switch to another tool loses nothing.
 *
 * The state is text and not an object, because a visitor may send invalid JSON on purpose.
 */
export class CallDraft {
  #toolName: string;
  #maxOutputBytes: number | null = null;
  readonly #texts = new Map<string, string>();
  readonly #listeners: ((origin: DraftOrigin) => void)[] = [];

  constructor(toolName: string) {
    this.#toolName = toolName;
  }

  get toolName(): string {
    return this.#toolName;
  }

  /** The answer's maximum size in UTF-8 bytes; null uses the configured one. */
  get maxOutputBytes(): number | null {
    return this.#maxOutputBytes;
  }

  /** The arguments exactly as they will be sent. */
  get argumentsText(): string {
    return this.#texts.get(this.#toolName) ?? "{}";
  }

  /** The arguments as an object; null while the text is not a JSON object. */
  get argumentsObject(): JsonObject | null {
    return parseJsonObject(this.argumentsText);
  }

  /** Tells whether this tool already has arguments. */
  hasArguments(toolName: string): boolean {
    return this.#texts.has(toolName);
  }

  /** Drops the arguments of every tool, for a change of tree. */
  forget(): void {
    this.#texts.clear();
    this.#announce("elsewhere");
  }

  selectTool(toolName: string): void {
    this.#toolName = toolName;
    this.#announce("elsewhere");
  }

  setArguments(values: JsonObject, origin: DraftOrigin = "elsewhere"): void {
    this.setArgumentsText(renderJson(values), origin);
  }

  setArgumentsText(text: string, origin: DraftOrigin = "elsewhere"): void {
    this.#texts.set(this.#toolName, text);
    this.#announce(origin);
  }

  setMaxOutputBytes(maxOutputBytes: number | null, origin: DraftOrigin = "elsewhere"): void {
    this.#maxOutputBytes = maxOutputBytes;
    this.#announce(origin);
  }

  /** Replaces tool, arguments and budget at once. */
  replace({ toolName, argumentsText, maxOutputBytes }: CallText): void {
    this.#toolName = toolName;
    this.#texts.set(toolName, argumentsText);
    this.#maxOutputBytes = maxOutputBytes;
    this.#announce("elsewhere");
  }

  /** Calls `listener` after each change, for as long as the page lives. */
  onChange(listener: (origin: DraftOrigin) => void): void {
    this.#listeners.push(listener);
  }

  #announce(origin: DraftOrigin): void {
    for (const listener of this.#listeners) {
      listener(origin);
    }
  }
}
