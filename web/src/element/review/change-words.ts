/** Words for changes, hunks and steps. */
import { escapePath } from "../../lib/spelling.ts";
import { formatBytes, formatCount } from "../../page-parts/format-quantities.ts";
import type { Change, Hunk, Step } from "./reviewed-client.ts";

const OPERATIONS = {
  create: "Created",
  modify: "Changed",
  delete: "Deleted",
  rename: "Renamed",
} as const;

const FLAGS: ReadonlyMap<string, string> = new Map([
  ["line_ends", "line ends change"],
  ["last_line_end", "last line feed changes"],
  ["byte_order_mark", "byte order mark changes"],
  ["mode", "file mode changes"],
  ["binary", "binary"],
  ["invisible", "invisible characters"],
  ["coarse", "too large to compare line by line"],
  // The heading above the file says it.
  ["acts", ""],
]);

const BASES = {
  unchanged: "",
  changed: "the mounted file has changed since",
  gone: "the mounted file is gone",
  appeared: "a mounted file has appeared at this path since",
} as const;

export function wordOperation({ operation, kind }: Change): string {
  const noun = kind === "directory" ? " folder" : kind === "symlink" ? " link" : "";
  return `${OPERATIONS[operation]}${noun}`;
}

/** Returns what to know of a change beside its lines. */
export function wordFlags({ flags }: Pick<Change, "flags">): string[] {
  const words = flags.map((flag) => FLAGS.get(flag) ?? flag.replaceAll("_", " "));
  return words.filter((word) => word !== "");
}

/** Returns how the mount has moved on under a change; "" if it has not. */
export function wordBase({ base }: Change): string {
  return BASES[base];
}

/** Returns the size before and after; "" if the change has neither. */
export function wordSizes({ beforeBytes, afterBytes }: Change): string {
  const sizes = [beforeBytes, afterBytes].flatMap((bytes) =>
    bytes === null ? [] : [formatBytes(bytes)],
  );
  return sizes[0] === sizes[1] ? (sizes[0] ?? "") : sizes.join(" \u2192 ");
}

/** Returns the lines that a hunk replaces, as counted before and after it. */
export function wordRange({ beforeStart, beforeCount, afterStart, afterCount }: Hunk): string {
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

/** Returns what a step did: the tool or the decision, and where. */
export function wordStep({ by, name, paths }: Step): string {
  const [path, ...others] = paths;
  const place =
    others.length === 0 ? escapePath(path ?? "nothing") : `${formatCount(paths.length)} paths`;
  return `${by === "person" && name === "reject" ? "Leave" : escapePath(name)}: ${place}`;
}

/** The steps that the next undo and the next redo concern; null if there is none. */
export interface StandingSteps {
  readonly undo: Step | null;
  readonly redo: Step | null;
}

/** Returns which steps stand: each `undo` and `redo` is a step too, and is followed to its origin. */
export function standingSteps(steps: readonly Step[]): StandingSteps {
  const done: Step[] = [];
  const undone: Step[] = [];
  for (const step of steps) {
    const isReversal = step.by === "person" && step.of !== null;
    if (isReversal && step.name === "undo") {
      done.pop();
      undone.push(step);
    } else {
      if (isReversal) {
        undone.pop();
      } else {
        undone.length = 0;
      }
      done.push(step);
    }
  }
  return { undo: originOf(done.at(-1), steps), redo: originOf(undone.at(-1), steps) };
}

function originOf(last: Step | undefined, steps: readonly Step[]): Step | null {
  let step = last;
  for (let of = step?.of; of != null; of = step?.of) {
    const origin = steps.find(({ number }) => number === of);
    if (origin === undefined) {
      break;
    }
    step = origin;
  }
  return step ?? null;
}
