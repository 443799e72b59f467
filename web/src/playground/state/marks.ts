/** The parts of the tree that the calls have shown: directories that were listed, and lines that were read. */

import { signal } from "@preact/signals";
import type { ToolResult } from "../../index.ts";
import { isJsonObject, parseJsonObject } from "../../ui/json.ts";
import type { CallText } from "../../ui/literals.ts";
import { pathBelow } from "../../ui/path-below.ts";
import { findNote, MOUNT_PATH } from "../tool-notes.ts";

/** Lines of a file, both counted from 1 and both included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

export interface OpenFile {
  /** The path below the mount. */
  readonly path: string;
  /** The lines to show and mark; null shows the start. */
  readonly lines: LineRange | null;
}

/** The numbers at the start of each line of the read tools' answers. */
const LINE_NUMBER = /^(?:L(\d+): | *(\d+) \| )/gm;

/** Marks by path below the mount; "" is the mount itself. */
export class Marks {
  /** The lines that were read, in their order; none of what was only listed. */
  readonly byPath = signal<ReadonlyMap<string, readonly LineRange[]>>(new Map());

  /** Learns from an answer; an answer that is an error shows nothing. */
  learn(call: CallText, result: ToolResult): void {
    const note = findNote(call.toolName);
    const spelled = parseJsonObject(call.argumentsText)?.[note?.pathArgument ?? ""] ?? ".";
    const path = typeof spelled === "string" ? pathBelowMount(spelled) : null;
    if (note === undefined || path === null || result.isError) {
      return;
    }
    const known = this.byPath.value.get(path) ?? [];
    const lines = note.takes === "file" ? readLines(result) : null;
    const marks = lines === null ? known : unite(known, lines);
    this.byPath.value = new Map(this.byPath.value).set(path, marks);
  }

  /** Drops what was read of files that have changed since: their lines are others now. */
  forget(paths: readonly string[]): void {
    const gone = new Set(paths.map(pathBelowMount));
    const left = [...this.byPath.value].filter(([path]) => !gone.has(path));
    if (left.length < this.byPath.value.size) {
      this.byPath.value = new Map(left);
    }
  }

  clear(): void {
    this.byPath.value = new Map();
  }
}

/** Returns a tool's spelling of a path as the path below the mount; null for a path outside. */
export function pathBelowMount(spelled: string): string | null {
  return pathBelow(MOUNT_PATH, spelled);
}

/** Adds lines to ranges that are apart from each other, and keeps them so. */
function unite(ranges: readonly LineRange[], added: LineRange): readonly LineRange[] {
  const isApart = ({ first, last }: LineRange) => last + 1 < added.first || first > added.last + 1;
  const joined = [added, ...ranges.filter((range) => !isApart(range))];
  const whole = {
    first: Math.min(...joined.map(({ first }) => first)),
    last: Math.max(...joined.map(({ last }) => last)),
  };
  return [...ranges.filter(isApart), whole].sort((one, other) => one.first - other.first);
}

function readLines({ content, structuredContent }: ToolResult): LineRange | null {
  const data = isJsonObject(structuredContent) ? structuredContent.data : null;
  const text = isJsonObject(data) && typeof data.content === "string" ? data.content : content;
  const numbers = Array.from(text.matchAll(LINE_NUMBER), ([, codex, envelope]) =>
    Number(codex ?? envelope),
  );
  const [first] = numbers;
  const last = numbers.at(-1);
  return first === undefined || last === undefined ? null : { first, last };
}
