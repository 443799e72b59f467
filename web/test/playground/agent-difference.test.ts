import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { differenceOf } from "../../src/playground/model/transcript/replay.ts";

const NUMBERS = Array.from({ length: 12 }, (_, index) => `line ${index}`);

describe("the difference of two texts", () => {
  for (const [what, before, after, shown] of [
    ["equal texts", "a\nb", "a\nb", ""],
    ["a changed line", "a\nb\nc", "a\nx\nc", "  a\n- b\n+ x\n  c"],
    ["added lines", "a\nc", "a\nb\nb\nc", "  a\n+ b\n+ b\n  c"],
    ["removed lines", "a\nb\nc", "c", "- a\n- b\n  c"],
    ["an empty text", "", "a", "- \n+ a"],
    ["two places", "a\n1\nb\n2", "a\n3\nb\n4", "  a\n- 1\n+ 3\n  b\n- 2\n+ 4"],
    [
      "one line in a long text",
      NUMBERS.join("\n"),
      [...NUMBERS.slice(0, 6), "changed", ...NUMBERS.slice(7)].join("\n"),
      "…\n  line 4\n  line 5\n- line 6\n+ changed\n  line 7\n  line 8\n…",
    ],
  ] as const) {
    test(`of ${what}`, () => {
      assert.equal(differenceOf(before, after), shown);
    });
  }

  test("of texts that are too long to compare has the old lines before the new ones", () => {
    const lines = (mark: string) => Array.from({ length: 1100 }, (_, index) => `${mark}${index}`);
    const shown = differenceOf(lines("a").join("\n"), lines("b").join("\n")).split("\n");
    assert.deepEqual(shown, [
      ...lines("a").map((line) => `- ${line}`),
      ...lines("b").map((line) => `+ ${line}`),
    ]);
  });
});
