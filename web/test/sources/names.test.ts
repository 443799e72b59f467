import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  belowMount,
  decodeUtf8,
  leadsOut,
  parsePath,
  utf8ByteLength,
} from "../../src/sources/names.ts";

const ABSOLUTE = "an absolute path, put below the mount point";
const RESOLVED = "'..' resolved";
const DRIVE = { fault: "starts with a drive letter" };
const OUT = { fault: "leads out of the tree with '..'" };
const NUL = { fault: "has a NUL character in its name" };

const parsed = (path: string, renamed: string | null = null, ...converted: string[]) => ({
  names: path === "" ? [] : path.split("/"),
  path,
  renamed,
  converted,
});

describe("a path of a source", () => {
  const cases = [
    ["src/main.py", parsed("src/main.py")],
    ["b", parsed("b")],
    [".github/..rc/...", parsed(".github/..rc/...")],
    ["C:", parsed("C:")],
    ["C:/a", parsed("C:/a")],
    ["1:/a", parsed("1:/a")],
    ["a\\b", parsed("a\\b")],
    ["", parsed("")],
    ["a//b/./c/", parsed("a/b/c")],
    ["./a", parsed("a")],
    ["/a/b", parsed("a/b", ABSOLUTE)],
    ["a/../b", parsed("b", RESOLVED)],
    ["/a/..", parsed("", RESOLVED)],
    ["..", OUT],
    ["a/../../b", OUT],
    ["/..", OUT],
    ["a\0b", NUL],
    ["../\0", NUL],
    ["a/\ud800b", parsed("a/\ufffdb", null, "lone surrogates replaced by U+FFFD")],
    ["\u{1f600}", parsed("\u{1f600}")],
  ] as const;
  for (const [source, expected] of cases) {
    test(`${JSON.stringify(source)} stays inside the tree`, () => {
      assert.deepEqual(parsePath(source, false), expected);
    });
  }

  test("is refused above 65,536 characters, before it is looked at", () => {
    assert.deepEqual(parsePath("a".repeat(65_536), false), parsed("a".repeat(65_536)));
    assert.deepEqual(parsePath("a".repeat(65_537), false), {
      fault: "has a path of more than 65536 characters",
    });
  });
});

describe("a path that may be of Windows", () => {
  const backslashes = "backslashes read as separators";
  const cases = [
    ["a\\b", parsed("a/b", null, backslashes)],
    ["\\a", parsed("a", ABSOLUTE, backslashes)],
    ["..\\a", OUT],
    ["C:\\a", DRIVE],
    ["z:/a", DRIVE],
    ["C:", DRIVE],
    ["C:a", parsed("C:a")],
    ["a/C:/b", parsed("a/C:/b")],
    ["a/../C:/b", parsed("C:/b", RESOLVED)],
    ["1:/a", parsed("1:/a")],
  ] as const;
  for (const [source, expected] of cases) {
    test(`${JSON.stringify(source)} stays inside the tree`, () => {
      assert.deepEqual(parsePath(source, true), expected);
    });
  }
});

test("a link leads out of its tree if any step of its target is above the top", () => {
  const cases = [
    ["a", 0, false],
    ["", 0, false],
    ["./a/..", 0, false],
    ["..", 0, true],
    ["..", 1, false],
    ["../..", 1, true],
    ["../../a/b", 1, true],
    ["a/../..", 0, true],
    ["./..", 0, true],
    ["a//../..", 0, true],
    ["a/..", 0, false],
    ["/a", 5, true],
    ["/", 0, true],
    ["a/", 0, false],
  ] as const;
  assert.deepEqual(
    cases.map(([target, depth]) => [target, depth, leadsOut(target, depth)]),
    cases,
  );
});

test("an absolute target below the mount is relative to it, and no other target is", () => {
  const cases = [
    ["/repo", ""],
    ["/repo/", ""],
    ["/repo/a/b", "a/b"],
    ["/repo//a//b", "a//b"],
    ["/repository/a", null],
    ["/", null],
    ["repo/a", null],
  ] as const;
  assert.deepEqual(
    cases.map(([target]) => [target, belowMount("/repo", target)]),
    cases,
  );
});

test("the length of a text in UTF-8 is that of its bytes, lone surrogates too", () => {
  const texts = ["", "a", "\x7f", "\x80", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\uffff"];
  const surrogates = ["\u{10000}", "\u{10ffff}", "\ud800", "\udbff", "\udc00", "\udfff"];
  const mixed = [
    "\xe9\udc00",
    "\udc00\udc00",
    "\udc00\ud800",
    "\ud800a",
    "\ud800\u07ff",
    "\udbff\ue000",
    "\u{1f600}\u{1f600}b",
  ];
  const all = [...texts, ...surrogates, ...mixed];

  assert.deepEqual(
    all.map((text) => [text, utf8ByteLength(text)]),
    all.map((text) => [text, new TextEncoder().encode(text).byteLength]),
  );
});

test("bytes that are no UTF-8 become U+FFFD, and a byte order mark stays", () => {
  const decoded = (...bytes: number[]) => decodeUtf8(Uint8Array.from(bytes));

  assert.deepEqual(decoded(0xef, 0xbb, 0xbf, 0x61), { text: "\ufeffa", isUtf8: true });
  assert.deepEqual(decoded(0xef, 0xbb, 0xbf, 0x61, 0xff), { text: "\ufeffa\ufffd", isUtf8: false });
});
