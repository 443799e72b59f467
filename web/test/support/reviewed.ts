/** Changes and hunks for a review, and a client that has them. */
import type {
  Change,
  Changes,
  DiffLine,
  Hunk,
  ReviewedClient,
  Step,
} from "../../src/element/review/reviewed-client.ts";

export function changeOf(path: string, more: Partial<Change> = {}): Change {
  return {
    path,
    operation: "modify",
    kind: "file",
    from: null,
    added: 1,
    removed: 1,
    beforeBytes: 10,
    afterBytes: 12,
    baseState: "unchanged",
    flags: {},
    isCoarse: false,
    decision: "pending",
    ...more,
  };
}

/** Returns a hunk of lines that are written as in a patch. */
export function hunkOf(written: readonly string[], more: Partial<Hunk> = {}): Hunk {
  const lines = written.map((line): DiffLine => [signOf(line), line.slice(1)]);
  const countOf = (sign: string) => lines.filter(([own]) => own === sign || own === " ").length;
  return {
    key: written.join("|"),
    beforeStart: 1,
    beforeCount: countOf("-"),
    afterStart: 1,
    afterCount: countOf("+"),
    decision: "pending",
    lines,
    ...more,
  };
}

function signOf(line: string): DiffLine[0] {
  const signs: readonly DiffLine[0][] = [" ", "+", "-", "\\"];
  return signs.find((sign) => line.startsWith(sign)) ?? " ";
}

/** A client whose changes a test sets, and which notes what it is asked for. */
export class FakeClient implements ReviewedClient {
  readonly asked: unknown[] = [];
  /** Thrown by the next decision. */
  refusal: Error | null = null;
  proposed: Changes = { version: 1, entries: [changeOf("/a"), changeOf("/b")], steps: [] };

  async changes(): Promise<Changes> {
    return this.proposed;
  }

  async diff(path: string) {
    return { ...changeOf(path), hunks: [] };
  }

  async keep(path: string, options?: object): Promise<void> {
    this.#note("keep", path, options);
  }

  async reject(path: string, options?: { readonly of?: number }): Promise<{ version: number }> {
    this.#note("reject", path, options);
    if (options?.of === undefined) {
      this.move("reject", path);
    }
    return { version: this.proposed.version };
  }

  async undo(): Promise<{ step: Step | null }> {
    this.#note("undo");
    const of = this.proposed.steps.at(-1)?.number ?? null;
    return { step: of === null ? null : this.move("undo", "/a", of) };
  }

  async redo(): Promise<{ step: Step | null }> {
    this.#note("redo");
    return { step: null };
  }

  async exportChanges(options: object): Promise<string> {
    this.#note("export", options);
    return "diff --git\n";
  }

  /** Adds a step. */
  move(name: string, path: string, of: number | null = null): Step {
    const version = this.proposed.version + 1;
    const by = name === "apply_patch" ? "tool" : "person";
    const step: Step = { number: version, by, name, group: null, of, paths: [path] };
    this.proposed = { ...this.proposed, version, steps: [...this.proposed.steps, step] };
    return step;
  }

  #note(...asked: readonly unknown[]): void {
    this.asked.push(asked);
    const { refusal } = this;
    this.refusal = null;
    if (refusal !== null) {
      throw refusal;
    }
  }
}
