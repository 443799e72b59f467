/** Words for changes, hunks and steps. */
import { escapePath } from "../../lib/spelling.ts";
import { formatBytes, formatCount, formatCounted } from "../../ui/format-quantities.ts";
import type { Change, Changes, Hunk, Step } from "./reviewed-client.ts";

const OPERATIONS = {
  create: "Created",
  modify: "Changed",
  delete: "Deleted",
  rename: "Renamed",
} as const;

/** The subject of a flag whose own name says too little; its words say the rest. */
const FLAGS: Readonly<Record<string, string>> = {
  last_line_end: "last line feed",
  mode: "file mode",
  invisible: "invisible characters",
};

export function wordOperation({ operation, kind }: Change): string {
  return `${OPERATIONS[operation]}${kind === "file" ? "" : ` ${kind}`}`;
}

/** Returns what to know beside the lines: how the mount has moved on, and the flags. */
export function wordMarks({ baseState, flags, isCoarse }: Change): string[] {
  const told = Object.entries(flags).map(([flag, words]) =>
    // Why a file acts by itself says enough, below the heading that says so.
    flag === "acts" ? words : `${FLAGS[flag] ?? flag.replaceAll("_", " ")}: ${words}`,
  );
  const moved = `${baseState} ${baseState === "gone" ? "from" : "in"} the mount since`;
  return [
    ...(baseState === "unchanged" ? [] : [moved]),
    ...told,
    ...(isCoarse ? ["compared coarsely"] : []),
  ];
}

export function wordSizes({ beforeBytes, afterBytes }: Change): string {
  const sizes = [beforeBytes, afterBytes].flatMap((bytes) =>
    bytes === null ? [] : [formatBytes(bytes)],
  );
  return [...new Set(sizes)].join(" \u2192 ");
}

/** Returns the lines that a hunk replaces, as counted before and after it. */
export function wordRange({
  beforeStart,
  beforeCount,
  afterStart,
  afterCount,
}: Omit<Hunk, "decision">): string {
  if (beforeCount === 0) {
    return `${wordLines(afterStart, afterCount)}, new`;
  }
  const before = wordLines(beforeStart, beforeCount);
  if (afterCount === 0) {
    return `${before}, deleted`;
  }
  const after = spanOf(afterStart, afterCount);
  return after === spanOf(beforeStart, beforeCount) ? before : `${before}, now ${after}`;
}

function wordLines(start: number, count: number): string {
  return `${count === 1 ? "Line" : "Lines"} ${spanOf(start, count)}`;
}

function spanOf(start: number, count: number): string {
  const first = formatCount(start);
  return count === 1 ? first : `${first}\u2013${formatCount(start + count - 1)}`;
}

/** Returns what a step did, by the name of its file or the number of its paths, and where. */
export function wordStep({ by, name, paths }: Step): [what: string, where: string] {
  const what = by === "person" && name === "reject" ? "Leave of" : "the change of";
  if (paths.length !== 1) {
    return [`${what} ${formatCounted(paths.length, "path")}`, ""];
  }
  const path = escapePath(paths.join());
  const end = path.lastIndexOf("/");
  return [`${what} ${path.slice(end + 1)}`, `in ${path.slice(0, end) || "/"}`];
}

/** The steps that the next undo and the next redo concern; null without one. */
export interface StandingSteps {
  readonly undo: Step | null;
  readonly redo: Step | null;
}

/** Returns which steps stand. */
export function standingSteps(steps: readonly Step[]): StandingSteps {
  const { done, undone } = sortSteps(steps);
  return { undo: done.at(-1) ?? null, redo: undone.at(-1) ?? null };
}

/** Returns how many changes were left as a whole, and are not proposed again. */
export function countLeft({ steps, entries }: Pick<Changes, "steps" | "entries">): number {
  const { done } = sortSteps(steps);
  const left = done.filter(({ by, name }) => by === "person" && name === "reject");
  const proposed = new Set(entries.map(({ path }) => path));
  const gone = left.filter(({ paths }) => paths.every((path) => !proposed.has(path)));
  // A rename has two paths, and a change that is proposed again may be left again.
  return new Set(gone.map(({ paths }) => paths.join("\0"))).size;
}

/** Each `undo` and `redo` is a step too, and moves an earlier one. */
function sortSteps(steps: readonly Step[]) {
  const done: Step[] = [];
  const undone: Step[] = [];
  for (const step of steps) {
    if (step.of === null) {
      done.push(step);
      undone.length = 0;
    } else {
      const [from, to] = step.name === "undo" ? [done, undone] : [undone, done];
      // The step that it moves may be too old to be listed.
      to.push(from.pop() ?? step);
    }
  }
  return { done, undone };
}

/** Returns what an export holds, taken or not. */
export function wordExport(changes: readonly Change[], leftOut: readonly string[]): string {
  const exported = changes.filter(({ path }) => !leftOut.includes(path));
  const pending = exported.filter(({ decision }) => decision === "pending").length;
  const held = formatCount(exported.length);
  const all = formatCounted(changes.length, "proposed change");
  const notTaken = pending === 0 ? "" : `, taken or not: ${formatCount(pending)} not taken`;
  return `An export holds ${held} of ${all}${notTaken}.`;
}
