/** Lists of files in JSON from a service or a publisher, which are not trusted. */
import { isCount, isRecord } from "../../lib/checks.ts";
import { TreeglassError } from "../../protocol/errors.ts";
import { CHECKPOINT_ENTRIES, type SourceContext } from "../source-context.ts";

/** The largest list: some hundred thousand files. */
export const MAX_LIST_BYTES = 64 * 1024 * 1024;
/** The most objects, lists and members; each costs a parser some hundred bytes at worst. */
const MAX_LIST_PARTS = 4_000_000;
/** The most objects and lists inside each other; a valid list has four. */
const MAX_LIST_DEPTH = 32;

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

  /** Returns a member of an object, even a missing one; throws if this is not an object. */
  member(key: string): ListValue {
    if (!isRecord(this.#value)) {
      throw this.refuse("an object");
    }
    const place = this.#place === "" ? key : `${this.#place}.${key}`;
    return new ListValue(this.#list, this.#value[key], place);
  }

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

  /** Returns a text that matches `form`; `expected` describes the form in errors. */
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

  /** Returns an error that names the place, the value and the expected value. */
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

/** Adds the members of a list to a tree one by one, in their order. */
export async function addListed(
  list: ListValue,
  { builder, checkpoint }: SourceContext,
  add: (member: ListValue) => void,
): Promise<void> {
  const count = list.length();
  builder.requireRoomFor(count);
  for (let index = 0; index < count; index += 1) {
    add(list.at(index));
    if ((index + 1) % CHECKPOINT_ENTRIES === 0) {
      await checkpoint(index + 1, count);
    }
  }
}

/** Parses UTF-8 JSON; throws `SourceUnreadable` if it is invalid or too large. */
export function parseList(list: string, bytes: Uint8Array): ListValue {
  requireModest(list, bytes);
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

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
/** In ASCII, this bit makes `{` of `[`, and `}` of `]`. */
const BRACE_BIT = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/** Checked before parsing: 64 MiB of brackets cost a parser gigabytes before it rejects them. */
function requireModest(list: string, bytes: Uint8Array): void {
  let depth = 0;
  let partCount = 0;
  for (let at = 0; at < bytes.byteLength; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) {
      at = stringEnd(bytes, at);
    } else if (byte === COLON) {
      partCount += 1;
    } else if ((byte | BRACE_BIT) === OPENING) {
      partCount += 1;
      depth += 1;
    } else if ((byte | BRACE_BIT) === CLOSING) {
      depth -= 1;
    }
    if (depth > MAX_LIST_DEPTH || partCount > MAX_LIST_PARTS) {
      throw tooLarge(list, depth);
    }
  }
}

/** Returns the index of the quote that ends a string, or the end of the bytes. */
function stringEnd(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.byteLength && bytes[at] !== QUOTE) {
    at += bytes[at] === BACKSLASH ? 2 : 1;
  }
  return at;
}

function tooLarge(list: string, depth: number): TreeglassError {
  const what =
    depth > MAX_LIST_DEPTH
      ? `its objects and lists lie more than ${MAX_LIST_DEPTH} deep`
      : `it has more than ${MAX_LIST_PARTS} objects, lists and members`;
  return new TreeglassError(
    "SourceUnreadable",
    `${list} is malformed: ${what}; check its address, or mount an archive of the tree.`,
  );
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
