import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  countLeft,
  standingSteps,
  wordExport,
  wordMarks,
  wordOperation,
  wordRange,
  wordSizes,
  wordStep,
} from "../../src/element/review/change-words.ts";

import type { Step } from "../../src/element/review/reviewed-client.ts";
import { changeOf, hunkOf } from "../support/reviewed.ts";

describe("a change in words", () => {
  test("has an operation, and its kind unless it is a file", () => {
    const words = [
      changeOf("/a", { operation: "create" }),
      changeOf("/a", { operation: "modify" }),
      changeOf("/a", { operation: "delete", kind: "directory" }),
      changeOf("/a", { operation: "rename", kind: "symlink" }),
    ].map(wordOperation);

    assert.deepEqual(words, ["Created", "Changed", "Deleted directory", "Renamed symlink"]);
  });

  test("names how the mount has moved on first, then every flag", () => {
    const flags = {
      acts: "scripts of a package",
      line_ends: "LF to CRLF",
      last_line_end: "removed",
      byte_order_mark: "added",
      mode: "644 to 755",
      binary: "holds NUL bytes",
    };
    const later = { ...changeOf("/a"), flags: { invisible: "U+202E", of_later: "new" } };

    assert.deepEqual(wordMarks(changeOf("/a", { baseState: "changed", flags })), [
      "changed in the mount since",
      "scripts of a package",
      "line ends: LF to CRLF",
      "last line feed: removed",
      "byte order mark: added",
      "file mode: 644 to 755",
      "binary: holds NUL bytes",
    ]);
    assert.deepEqual(wordMarks({ ...later, isCoarse: true }), [
      "invisible characters: U+202E",
      "of later: new",
      "compared coarsely",
    ]);
  });

  test("has the size before and after, or the one that there is", () => {
    const sizes = [
      changeOf("/a", { beforeBytes: 1240, afterBytes: 1318 }),
      changeOf("/a", { beforeBytes: 1240, afterBytes: 1241 }),
      changeOf("/a", { beforeBytes: null, afterBytes: 1 }),
      changeOf("/a", { beforeBytes: 0, afterBytes: null }),
      changeOf("/a", { beforeBytes: null, afterBytes: null }),
    ].map(wordSizes);

    assert.deepEqual(sizes, ["1.2 kB \u2192 1.3 kB", "1.2 kB", "1 byte", "0 bytes", ""]);
  });
});

test("a hunk names its lines before, and after if these differ", () => {
  const ranges = [
    hunkOf(["-a", "+b", " c"], { beforeStart: 10, afterStart: 10 }),
    hunkOf(["-a", "+b", "+c"], { beforeStart: 1000, afterStart: 1001 }),
    hunkOf(["+a", "+b"], { beforeStart: 0, afterStart: 1 }),
    hunkOf(["-a"], { beforeStart: 7, afterStart: 6 }),
  ].map(wordRange);

  assert.deepEqual(ranges, [
    "Lines 10\u201311",
    "Line 1,000, now 1,001\u20131,002",
    "Lines 1\u20132, new",
    "Line 7, deleted",
  ]);
});

test("an export says what it holds, and how much of it is not taken", () => {
  const changes = [changeOf("/a", { decision: "kept" }), changeOf("/b"), changeOf("/c")];

  assert.deepEqual(
    [wordExport(changes, []), wordExport(changes, ["/b"])],
    [
      "An export holds 3 of 3 proposed changes, taken or not: 2 not taken.",
      "An export holds 2 of 3 proposed changes, taken or not: 1 not taken.",
    ],
  );
});

describe("the next undo and redo", () => {
  const stepOf = (number: number, name: string, of: number | null = null): Step => ({
    number,
    by: name === "apply_patch" ? "tool" : "person",
    name,
    group: null,
    of,
    paths: [`/${number}`],
  });
  const numbers = (...steps: readonly Step[]) => {
    const { undo, redo } = standingSteps(steps);
    return [undo?.number ?? null, redo?.number ?? null];
  };
  const call = stepOf(1, "apply_patch");
  const reject = stepOf(2, "reject");
  const undone = stepOf(3, "undo", 2);

  test("concern the steps that an undo and a redo have moved", () => {
    assert.deepEqual(numbers(), [null, null]);
    assert.deepEqual(numbers(call, reject), [2, null]);
    assert.deepEqual(numbers(call, reject, undone), [1, 2]);
    assert.deepEqual(numbers(call, reject, undone, stepOf(4, "undo", 1)), [null, 1]);
    assert.deepEqual(numbers(call, reject, undone, stepOf(4, "redo", 3)), [2, null]);
  });

  test("concern what counts as left, unless it is proposed again", () => {
    const entries = [changeOf("/3")];
    const rename = { ...stepOf(4, "reject"), paths: ["/old", "/new"] };
    const counts = [
      [call, reject],
      [call, reject, undone],
      [call, reject, undone, stepOf(4, "redo", 3)],
      [call, reject, rename, { ...reject, number: 5 }, { ...reject, number: 6, paths: ["/3"] }],
    ].map((steps) => countLeft({ steps, entries }));

    assert.deepEqual(counts, [1, 0, 1, 2]);
  });

  test("begin anew with the next step", () => {
    assert.deepEqual(numbers(call, reject, undone, stepOf(4, "apply_patch")), [4, null]);
  });

  test("are named by a change or the decision, and by the place", () => {
    assert.deepEqual(wordStep(call), ["the change of 1", "in /"]);
    assert.deepEqual(wordStep({ ...reject, paths: ["/r/b/a\u202e.txt"] }), [
      "Leave of a\\u{202E}.txt",
      "in /r/b",
    ]);
    assert.deepEqual(wordStep({ ...call, paths: ["/a", "/b"] }), ["the change of 2 paths", ""]);
  });
});
