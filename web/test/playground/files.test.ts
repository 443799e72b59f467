import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TreeIndex, type TreeRow } from "../../src/playground/files/tree-index.ts";
import { moveByKey } from "../../src/playground/files/tree-keys.ts";
import {
  readTypedPlace,
  readTypedSource,
  wordLink,
} from "../../src/playground/sources/typed-source.ts";
import { Marks, pathBelowMount } from "../../src/playground/state/marks.ts";
import { toText } from "../../src/playground/viewer/file-content.ts";
import { RESULT } from "../support/connected.ts";

const INDEX = new TreeIndex();
INDEX.add([
  { path: "README.md", kind: "file" },
  { path: "src", kind: "directory" },
  { path: "src/app.py", kind: "file" },
  { path: "src/deep", kind: "directory" },
  { path: "src/deep/path_app.py", kind: "file" },
  { path: "zlink", kind: "symlink" },
]);

function drawn(rows: readonly TreeRow[]): readonly string[] {
  return rows.map(({ path, level, place, siblingCount }) =>
    [level, `${place}/${siblingCount}`, path].join(" "),
  );
}

describe("the rows of a tree", () => {
  test("a closed tree has its top alone, directories first", () => {
    assert.deepEqual(drawn(INDEX.rows(new Set())), ["1 1/3 src", "1 2/3 README.md", "1 3/3 zlink"]);
  });

  test("entries that are added after it was shown take their places", () => {
    const grown = new TreeIndex();
    grown.add([{ path: "b", kind: "file" }]);
    const before = drawn(grown.rows(new Set()));
    grown.add([{ path: "a", kind: "file" }]);
    assert.deepEqual([before, drawn(grown.rows(new Set()))], [["1 1/1 b"], ["1 1/2 a", "1 2/2 b"]]);
  });

  test("an open directory has its entries below it", () => {
    assert.deepEqual(drawn(INDEX.rows(new Set(["src"]))), [
      "1 1/3 src",
      "2 1/2 src/deep",
      "2 2/2 src/app.py",
      "1 2/3 README.md",
      "1 3/3 zlink",
    ]);
  });

  test("a filter leaves the files with the text and the directories above them", () => {
    assert.deepEqual(drawn(INDEX.rowsWith("APP").rows), [
      "1 1/1 src",
      "2 1/2 src/deep",
      "3 1/1 src/deep/path_app.py",
      "2 2/2 src/app.py",
    ]);
  });

  test("a filter stops at the first 2,000 files and says so", () => {
    const names = Array.from({ length: 2_001 }, (_, index) => `f${index}`);
    const many = new TreeIndex();
    many.add(names.map((path) => ({ path, kind: "file" })));

    const { rows, isCut } = many.rowsWith("f");
    assert.deepEqual([rows.length, isCut, INDEX.rowsWith("a").isCut], [2_000, true, false]);
  });

  test("letters find a file, and those in its name before those above it", () => {
    assert.deepEqual(INDEX.findFiles("app", 9), ["src/app.py", "src/deep/path_app.py"]);
    assert.deepEqual(INDEX.findFiles("s/a", 9), ["src/app.py", "src/deep/path_app.py"]);
    assert.deepEqual(INDEX.findFiles("xyz", 9), []);
  });
});

describe("the keys of a tree", () => {
  const rows = INDEX.rows(new Set(["src"]));
  const press = (key: string, index: number) =>
    moveByKey({ key, ctrlKey: false, metaKey: false, altKey: false }, rows, index);

  test("arrows move, open and close", () => {
    assert.deepEqual(press("ArrowDown", 4), { index: 4 });
    assert.deepEqual(press("ArrowRight", 0), { index: 1 });
    assert.deepEqual(press("ArrowRight", 1), { toggle: rows[1], isOpen: true });
    assert.deepEqual(press("ArrowLeft", 0), { toggle: rows[0], isOpen: false });
    assert.deepEqual(press("ArrowLeft", 2), { index: 0 });
    assert.equal(press("ArrowRight", 2), null);
  });

  test("a letter moves to the next name that begins with it", () => {
    assert.deepEqual(press("z", 0), { index: 4 });
    assert.deepEqual(press("s", 4), { index: 0 });
    assert.equal(press("q", 0), null);
    const withCtrl = { key: "a", ctrlKey: true, metaKey: false, altKey: false };
    assert.equal(moveByKey(withCtrl, rows, 0), null);
  });
});

describe("what a visitor types to name a tree", () => {
  const link = (kind: string, specifier: string) => ({ kind, specifier, integrity: null });
  for (const [typed, expected] of [
    ["https://github.com/o/r", link("github", "o/r")],
    ["https://github.com/o/r.git", link("github", "o/r")],
    ["https://github.com/o/r?tab=readme-ov-file#readme", link("github", "o/r")],
    ["https://github.com/o/r/tree/100%", link("github", "o/r@100%")],
    ["https://github.com/o/r/tree/v1%2F2/docs", link("github", "o/r@v1/2")],
    ["https://github.com/o/r/blob/main/a.py#L3", link("github", "o/r@main")],
    [" o/r@v1 ", link("github", "o/r@v1")],
    ["https://www.npmjs.com/package/@s/p/v/1.2.3", link("npm", "@s/p@1.2.3")],
    ["npm:fflate", link("npm", "fflate")],
    ["https://example.org/a.zip", link("url", "https://example.org/a.zip")],
  ] as const) {
    test(typed, () => assert.deepEqual(readTypedSource(typed), expected));
  }

  for (const [below, expected] of [
    ["", undefined],
    ["/tree/main", undefined],
    ["/tree/main/", undefined],
    ["/tree/main/src/deep/", { path: "src/deep", lines: null }],
    ["/tree/fix/src", { path: "src", lines: null }],
    ["/blob/main/a%20b.py", { path: "a b.py", lines: null }],
    ["/blob/main/a.md?plain=1#L3", { path: "a.md", lines: { first: 3, last: 3 } }],
    ["/blob/main/a.py#L10-L20", { path: "a.py", lines: { first: 10, last: 20 } }],
    ["/blob/main/a.py#L10C2-L20C5", { path: "a.py", lines: { first: 10, last: 20 } }],
    ["/blob/main/a.md#usage", { path: "a.md", lines: null }],
  ] as const) {
    test(`${below} names a place in a repository`, () =>
      assert.deepEqual(readTypedPlace(`https://github.com/o/r${below}`), expected));
  }

  test("the words say what of the tree is shown at first", () => {
    const word = (text: string) => wordLink(text, readTypedSource(text));
    const opens = (name: string) =>
      `Opens GitHub repository ${name} from data.jsdelivr.com and cdn.jsdelivr.net.`;
    const github = "https://github.com/o/r";
    assert.equal(word(`${github}/tree/v1`), opens("o/r@v1"));
    assert.equal(word(`${github}/tree/v1/`), opens("o/r@v1"));
    assert.equal(word(`${github}/tree/fix/src`), `${opens("o/r@fix")} Then it shows src.`);
    assert.equal(
      word(`${github}/blob/main/src/a.py?plain=1#L3`),
      `${opens("o/r@main")} Then it shows src/a.py at line 3.`,
    );
    assert.equal(
      word(`${github}/blob/main/a.py#L3-L5`),
      `${opens("o/r@main")} Then it shows a.py at lines 3 to 5.`,
    );
    assert.equal(word("what?"), "Nothing is fetched before you press Open.");
  });

  test("a text that names no tree says what would", () => {
    assert.equal(
      readTypedSource("what?"),
      "Paste the address of a GitHub repository or of an archive, or write npm: and the name of a package.",
    );
  });
});

describe("the marks of a tree", () => {
  const answer = { ...RESULT, content: "L4: a\nL5: b" };
  const call = (toolName: string, args: object) => ({
    toolName,
    argumentsText: JSON.stringify(args),
    maxOutputBytes: null,
  });

  test("a read file has its lines, and a listed directory is listed", () => {
    const marks = new Marks();
    marks.learn(call("read_file", { file_path: "/repo/a.md" }), answer);
    marks.learn(call("read_file", { file_path: "/repo/a.md" }), { ...answer, isError: true });
    marks.learn(call("LS", { path: "src" }), answer);

    assert.deepEqual(Array.from(marks.byPath.value), [
      ["a.md", [{ first: 4, last: 5 }]],
      ["src", []],
    ]);
  });

  test("lines that meet are one range", () => {
    const marks = new Marks();
    const read = (first: number, last: number) =>
      marks.learn(call("read_file", { file_path: "/repo/a.md" }), {
        ...RESULT,
        content: `L${first}: a\nL${last}: b`,
      });
    const ranges = () => marks.byPath.value.get("a.md")?.map(({ first, last }) => [first, last]);

    read(9, 10);
    read(1, 3);
    assert.deepEqual(ranges(), [
      [1, 3],
      [9, 10],
    ]);
    read(4, 5);
    read(2, 3);
    assert.deepEqual(ranges(), [
      [1, 5],
      [9, 10],
    ]);
    read(5, 20);
    assert.deepEqual(ranges(), [[1, 20]]);
  });

  test("a path outside of the mount has no mark", () => {
    assert.equal(pathBelowMount("/elsewhere"), null);
    assert.equal(pathBelowMount("../x"), null);
    assert.equal(pathBelowMount("/repo"), "");
    assert.equal(pathBelowMount("./src/"), "src");
  });
});

test("a piece of a text leaves out the character that its end cuts", () => {
  const bytes = new TextEncoder().encode("aé").slice(0, 2);

  assert.deepEqual(toText(bytes, { sizeBytes: 3, isComplete: false }), {
    kind: "text",
    text: "a",
    shownBytes: 2,
    sizeBytes: 3,
    isLossy: false,
  });
  assert.deepEqual(toText(bytes, { sizeBytes: 2, isComplete: true }), {
    kind: "text",
    text: "a\ufffd",
    shownBytes: 2,
    sizeBytes: 2,
    isLossy: true,
  });
});
