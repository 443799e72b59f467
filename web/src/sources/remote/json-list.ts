/** Lists of files in JSON, made by a service or a publisher whom nobody believes. */
import { isCount, isRecord } from "../../protocol/checks.ts";
import { TreeglassError } from "../../protocol/errors.ts";

/** A list may take so many bytes: some hundred thousand files. */
export const MAX_LIST_BYTES = 64 * 1024 * 1024;

/** A value of a list, with its place in it: `entries[3].size_bytes`. */
export class ListValue {
  readonly #list: string;
  readonly #place: string;
  readonly #value: unknown;

  /** `list` names the list in errors: "The manifest at https://example.test/tree.json". */
  constructor(list: string, value: unknown, place = "") {
    this.#list = list;
    this.#value = value;
    this.#place = place;
  }

  get isMissing(): boolean {
    return this.#value === undefined;
  }

  get isNull(): boolean {
    return this.#value === null;
  }

  /** Returns a member of an object, be it there or not; throws where this is no object. */
  member(key: string): ListValue {
    if (!isRecord(this.#value)) {
      throw this.refuse("an object");
    }
    const place = this.#place === "" ? key : `${this.#place}.${key}`;
    return new ListValue(this.#list, this.#value[key], place);
  }

  /** Returns how many members an array has. */
  length(): number {
    return this.#array().length;
  }

  at(index: number): ListValue {
    return new ListValue(this.#list, this.#array()[index], `${this.#place}[${index}]`);
  }

  text(): string {
    if (typeof this.#value !== "string") {
      throw this.refuse("a text");
    }
    return this.#value;
  }

  optionalText(): string | null {
    return this.isMissing ? null : this.text();
  }

  /** Returns a text of a form; `expected` says of which. */
  textOf(form: RegExp, expected: string): string {
    if (typeof this.#value !== "string" || !form.test(this.#value)) {
      throw this.refuse(expected);
    }
    return this.#value;
  }

  count(): number {
    if (!isCount(this.#value)) {
      throw this.refuse("a whole number from 0 on");
    }
    return this.#value;
  }

  optionalNumber(): number | null {
    if (this.#value !== undefined && typeof this.#value !== "number") {
      throw this.refuse("a number");
    }
    return this.#value ?? null;
  }

  /** Returns a refusal that names the place, what is there and what has to be there. */
  refuse(expected: string): TreeglassError {
    const place = this.#place === "" ? "all of it" : this.#place;
    return new TreeglassError(
      "SourceUnreadable",
      `${this.#list} is malformed: ${place} is ${described(this.#value)}, and has to be ${expected}.`,
    );
  }

  #array(): readonly unknown[] {
    if (!Array.isArray(this.#value)) {
      throw this.refuse("a list");
    }
    return this.#value;
  }
}

/** Parses UTF-8 JSON; throws `SourceUnreadable` where it is none. */
export function parseList(list: string, bytes: Uint8Array): ListValue {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return new ListValue(list, JSON.parse(text));
  } catch (cause) {
    throw new TreeglassError(
      "SourceUnreadable",
      `${list} is malformed: it is no JSON in UTF-8; check its address.`,
      { cause },
    );
  }
}

const MAX_DESCRIBED_CHARACTERS = 60;

function described(value: unknown): string {
  if (value === undefined) {
    return "missing";
  }
  if (Array.isArray(value)) {
    return "a list";
  }
  if (isRecord(value)) {
    return "an object";
  }
  const text = JSON.stringify(value);
  return text.length > MAX_DESCRIBED_CHARACTERS
    ? `${text.slice(0, MAX_DESCRIBED_CHARACTERS)}…`
    : text;
}
