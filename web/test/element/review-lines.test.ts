import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { areAllCrLf, indentOf, nextCut, rowsOf } from "../../src/element/review/diff-rows.ts";
import { hunkOf } from "../support/reviewed.ts";

describe("the lines of a hunk", () => {
  test("have the numbers of the file before and after", () => {
    const hunk = hunkOf([" a", "-b", "-c", "+d", " e"], { beforeStart: 9, afterStart: 12 });

    assert.deepEqual(rowsOf(hunk), [
      { sign: " ", text: "a", before: 9, after: 12 },
      { sign: "-", text: "b", before: 10, after: "" },
      { sign: "-", text: "c", before: 11, after: "" },
      { sign: "+", text: "d", before: "", after: 13 },
      { sign: " ", text: "e", before: 12, after: 14 },
    ]);
  });

  test("say in words that the last line has no line feed", () => {
    const rows = rowsOf(hunkOf(["-a", "\\ No newline at end of file", "+a"]));

    assert.deepEqual(rows, [
      { sign: "-", text: "a", before: 1, after: "" },
      { sign: "\\", text: "No line feed at the end of the file", before: "", after: "" },
      { sign: "+", text: "a", before: "", after: 1 },
    ]);
  });

  test("wrap below the beginning of their text, at most 16 columns from the edge", () => {
    const lines = ["a  b", "  a", "\ta", "  \ta", "\t a", " ".repeat(40), ""];

    assert.deepEqual(lines.map(indentOf), [0, 2, 4, 4, 4, 16, 0]);
  });

  test("lack their CR where every line ends with CR LF", () => {
    const texts = (...lines: readonly string[]) => rowsOf(hunkOf(lines)).map(({ text }) => text);

    assert.deepEqual(texts(" a\r", "-b\r", "+c\r\r"), ["a", "b", "c\r"]);
    assert.deepEqual(texts(" a\r", "-b\r", "+b"), ["a\r", "b\r", "b"]);
    assert.equal(areAllCrLf(hunkOf([" a\r", "+b", "\\"]).lines), true);
    assert.equal(areAllCrLf(hunkOf([" a\r", "+b", " c\r"]).lines), false);
  });
});

describe("a long line", () => {
  const shownOf = (text: string) => {
    const ends = [nextCut(text, 0)];
    for (let end = ends[0] ?? 0; end < text.length; end = ends.at(-1) ?? text.length) {
      ends.push(nextCut(text, end));
    }
    return ends;
  };

  test("is cut, and shown in large steps", () => {
    assert.deepEqual(shownOf("a".repeat(45_000)), [400, 20_400, 40_400, 45_000]);
  });

  test("is not cut for a few characters, nor within a character", () => {
    assert.deepEqual(shownOf("a".repeat(500)), [500]);
    assert.deepEqual(shownOf("a".repeat(501)), [400, 501]);
    assert.deepEqual(shownOf(`${"a".repeat(399)}${"\u{1f375}".repeat(60)}`), [399, 519]);
  });
});
