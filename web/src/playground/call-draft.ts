/** The call that the form describes: the one state that form, JSON view, tree and address share. */

import { type JsonObject, parseJsonObject, renderJson } from "../page-parts/json.ts";

/** Who changed the draft; a view skips its own changes so that the caret stays. */
export type DraftOrigin = "fields" | "json" | "budget" | "elsewhere";

/**
 * Holds one text of arguments per tool, so that looking at another tool loses nothing.
 *
 * The text is the truth, because what is sent on purpose may be no JSON at all.
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

  /** The ceiling of the answer in UTF-8 bytes; null leaves it to the configuration. */
  get maxOutputBytes(): number | null {
    return this.#maxOutputBytes;
  }

  /** Exactly what will be sent. */
  get argumentsText(): string {
    return this.#texts.get(this.#toolName) ?? "{}";
  }

  /** The arguments as an object, or null while the text is not one. */
  get argumentsObject(): JsonObject | null {
    return parseJsonObject(this.argumentsText);
  }

  /** Tells whether somebody has already written arguments for this tool. */
  hasArguments(toolName: string): boolean {
    return this.#texts.has(toolName);
  }

  /** Drops the arguments of every tool: they were about another tree. */
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
  replace(toolName: string, argumentsText: string, maxOutputBytes: number | null): void {
    this.#toolName = toolName;
    this.#texts.set(toolName, argumentsText);
    this.#maxOutputBytes = maxOutputBytes;
    this.#announce("elsewhere");
  }

  /** Calls back after each change; there is no way to unsubscribe, as views live as long as the page. */
  onChange(listener: (origin: DraftOrigin) => void): void {
    this.#listeners.push(listener);
  }

  #announce(origin: DraftOrigin): void {
    for (const listener of this.#listeners) {
      listener(origin);
    }
  }
}
