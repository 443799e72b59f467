import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { utf8ByteLength } from "../../src/sources/names.ts";
import { compileSkipPatterns } from "../../src/sources/skip-patterns.ts";
import { readableBlobs } from "../support/files/blobs.ts";
import { drawChosen, withChosen } from "../support/files/chosen.ts";
import { draw, listEntries, reportOf, reportWith } from "../support/mounting.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

describe("entries", () => {
  test("every shape of an entry is understood", async () => {
    const tree = await listEntries({
      text: "grüße",
      bytes: bytesOf("bytes"),
      buffer: bytesOf("buffer").buffer,
      folder: null,
      dated: { content: "dated", modifiedMs: 5 },
      "dated folder": { directory: true, modifiedMs: 6 },
      link: { symlink: "text" },
    });
    assert.deepEqual(draw(tree.root), {
      text: "grüße",
      bytes: "bytes",
      buffer: "buffer",
      folder: {},
      dated: "dated",
      "dated folder": {},
      link: { symlink: "text" },
    });
    assert.deepEqual(
      reportOf(tree),
      reportWith({ files: 4, directories: 2, symlinks: 1, bytes: 23 }),
    );
  });

  for (const value of [
    7,
    true,
    ["list"],
    { content: 7 },
    { modifiedMs: "today" },
    { content: "", mtime: "today" },
    { file: "text" },
    { file: { contents: 7 } },
    { directory: false },
    {},
    new Date(),
  ]) {
    test(`${JSON.stringify(value)} is no entry, and the refusal lists the kinds of entries`, async () => {
      await assert.rejects(listEntries({ "a.txt": value }), {
        name: "SourceUnknown",
        message:
          'entries["a.txt"] has no known shape; an entry is a string, a Uint8Array, an ArrayBuffer, null for a directory, { content, modifiedMs? }, { symlink, modifiedMs? }, { directory: true, modifiedMs? }, { directory: { name: entry } }, { file: { contents } } or { file: { symlink } }',
      });
    });
  }

  test("a backslash is an ordinary character and a drive letter an ordinary name", async () => {
    const tree = await listEntries({ "a\\b": "1", "..\\up": "2", "C:/x": "3" });
    assert.deepEqual(draw(tree.root), { "a\\b": "1", "..\\up": "2", "C:": { x: "3" } });
    assert.deepEqual([tree.renamed, tree.converted, tree.skipped], [[], [], []]);
  });

  test("lone surrogates of names and contents are replaced and reported", async () => {
    const tree = await listEntries({ "a\uD800.txt": "x\uDC00y", "🌳": "ok" });
    assert.deepEqual(draw(tree.root), { "a\uFFFD.txt": "x\uFFFDy", "🌳": "ok" });
    assert.equal(tree.bytes, 7);
    assert.deepEqual(tree.converted, [
      { path: "a\uD800.txt", reason: "lone surrogates of the content replaced by U+FFFD" },
      { path: "a\uD800.txt", reason: "lone surrogates replaced by U+FFFD" },
    ]);
  });

  test("two names that become one are not one file", async () => {
    const tree = await listEntries({ "a\uD800": "first", "a\uDC00": "second" });
    assert.deepEqual(draw(tree.root), { "a\uFFFD": "first" });
    assert.deepEqual(tree.skipped, [{ path: "a\uDC00", reason: "is there already" }]);
  });

  test("dots and repeated slashes mean nothing, and dots upward are resolved and reported", async () => {
    const tree = await listEntries({ "./a//b/./c": "1", "a/x/../d": "2", "/": "no name" });
    assert.deepEqual(draw(tree.root), { a: { b: { c: "1" }, d: "2" } });
    const reason = "'..' resolved";
    assert.deepEqual(tree.renamed, [{ from: "a/x/../d", to: "a/d", reason }]);
    assert.deepEqual(tree.skipped, [{ path: "/", reason: "has no name" }]);
  });

  test("a path that is spelled with more than 65,536 characters is left out", async () => {
    const [longest, longer] = [`${"./".repeat(32_767)}ab`, `${"./".repeat(32_768)}a`];
    const tree = await listEntries({ [longest]: "1", [longer]: "2" });
    const path = `${longer.slice(0, 8192)}…`;
    const reason = "has a path of more than 65536 characters";
    assert.deepEqual([draw(tree.root), tree.skipped], [{ ab: "1" }, [{ path, reason }]]);
  });

  test("a target that only the relative spelling makes too long is reported and left out", async () => {
    const target = (bytes: number) => `/project/${"x".repeat(bytes)}`;
    const tree = await listEntries({
      "a/b/fits": { symlink: target(4089) },
      "a/b/over": { symlink: target(4090) },
      "over as it is": { symlink: "x".repeat(4096) },
      "grown by conversion": { symlink: `\uD800${"x".repeat(4093)}` },
    });
    const relative = `../../${"x".repeat(4089)}`;
    assert.deepEqual(draw(tree.root), { a: { b: { fits: { symlink: relative } } } });
    const reason = "is a link whose target is over 4095 bytes";
    assert.deepEqual(
      reportOf(tree),
      reportWith({
        directories: 2,
        symlinks: 1,
        skipped: [
          { path: "a/b/over", reason },
          { path: "over as it is", reason },
          { path: "grown by conversion", reason },
        ],
        converted: [
          { path: "a/b/fits", reason: `target '${target(4089)}' made relative: '${relative}'` },
        ],
      }),
    );
  });

  test("a skipped directory is reported once, with everything below it", async () => {
    const entries = {
      "node_modules/a/index.js": "",
      "node_modules/b/index.js": "",
      "src/node_modules/c.js": "",
      "src/app.pyc": "",
      "src/app.py": "kept",
      "docs/build/x": "",
      "build/x": "kept",
    };
    const skip = ["node_modules", "*.pyc", "docs/build/"];
    const tree = await listEntries(entries, { skip });
    assert.deepEqual(draw(tree.root), { src: { "app.py": "kept" }, build: { x: "kept" } });
    const reason = "left out by the skip option";
    assert.deepEqual(tree.skipped, [
      { path: "node_modules", reason },
      { path: "src/node_modules", reason },
      { path: "src/app.pyc", reason },
      { path: "docs/build", reason },
    ]);
  });

  test("an entry over a limit is reported by that limit and not by the skip option", async () => {
    const entries = { "a/out": "", "a/b/out": "", "out/a/b/c": "", outermost: "", "a2345/out": "" };
    const limits = { maxDepth: 1, maxNameBytes: 5, maxPathBytes: 8 };
    const tree = await listEntries(entries, { skip: ["out*"], limits });
    assert.deepEqual(tree.skipped, [
      { path: "a/out", reason: "left out by the skip option" },
      { path: "a/b/out", reason: "lies 2 directories deep, over maxDepth (1)" },
      { path: "out", reason: "left out by the skip option" },
      { path: "outermost", reason: "has a path over maxPathBytes (8)" },
      { path: "a2345/out", reason: "has a path over maxPathBytes (8)" },
    ]);
  });
});

describe("skip patterns", () => {
  const cases: [string, string, string | null][] = [
    ["*.py", "src/a.py", "src/a.py"],
    ["*.py", "src/a.pyc", null],
    ["a?c", "abc", "abc"],
    ["a?c", "a/c", null],
    ["/top", "top/x", "top"],
    ["/top", "a/top", null],
    ["src/*/x", "src/a/x", "src/a/x"],
    ["src/*/x", "src/a/b/x", null],
    ["src/**/x", "src/a/b/x", "src/a/b/x"],
    ["src/**/x", "src/x", "src/x"],
    ["src/**", "src/a", "src/a"],
    ["src/**", "src", null],
    ["**/x", "x/y", "x"],
    ["**/**/x", "a/b/x", "a/b/x"],
    ["/**", "a", "a"],
    ["a/**/b/**/c", "a/b/b/x/c", "a/b/b/x/c"],
    ["a/**/b/**/c", "a/c/b", null],
    ["a/x**y", "a/x-y", "a/x-y"],
    ["a/x**y", "a/x/y", null],
    ["a*b*bc", "abbbc", "abbbc"],
    ["a*b*bc", "abc", null],
    ["*?", "🌳", "🌳"],
    ["[a]+(b)", "[a]+(b)", "[a]+(b)"],
    ["a\\1*b*", "a\\1-b-", "a\\1-b-"],
    ["", "a", null],
  ];
  for (const [pattern, path, expected] of cases) {
    test(`'${pattern}' finds ${expected} in '${path}'`, () => {
      assert.equal(compileSkipPatterns([pattern])?.(path.split("/")) ?? null, expected);
    });
  }
});

describe("skip patterns that a search with ways back would not finish", () => {
  test("many stars over a deep path", () => {
    const matches = compileSkipPatterns([`${"**/a/".repeat(100)}b`]);
    assert.equal(matches?.(Array.from({ length: 257 }, () => "a")), null);
  });

  test("many stars over a long name", () => {
    const matches = compileSkipPatterns([`${"*a".repeat(60)}*b`]);
    assert.equal(matches?.(["a".repeat(255)]), null);
  });
});

describe("files", () => {
  const { makeFile, readBlob, reads } = readableBlobs();

  function chosen(path: string, content: string): File {
    const file = makeFile(bytesOf(content), path.split("/").at(-1) ?? "", 1234);
    return Object.assign(file, { webkitRelativePath: path.includes("/") ? path : "" });
  }

  test("a chosen folder gives its place to the mount point", async () => {
    const files = [chosen("app/src/a.py", "a"), chosen("app/b.txt", "b")];
    await withChosen(files, { readBlob }, async (tree) => {
      assert.deepEqual(await drawChosen(tree.root), { src: { "a.py": "a" }, "b.txt": "b" });
      assert.deepEqual(
        reportOf(tree),
        reportWith({
          files: 2,
          directories: 1,
          bytes: null,
          renamed: [
            {
              from: "app/",
              to: "",
              reason: "the mount point takes the place of the chosen folder",
            },
          ],
        }),
      );
      const entry = tree.root.children.get("b.txt");
      const seen = entry?.kind === "deferred-file" ? entry.seen : null;
      assert.deepEqual([seen?.sizeBytes, seen?.modifiedMs], [1, 1234]);
    });
  });

  test("single files keep their names, and a name that comes twice is reported", async () => {
    const files = [chosen("a.txt", "first"), chosen("b.txt", "b"), chosen("a.txt", "second")];
    await withChosen(files, { readBlob }, async (tree) => {
      assert.deepEqual(await drawChosen(tree.root), { "a.txt": "first", "b.txt": "b" });
      assert.deepEqual(tree.skipped, [{ path: "a.txt", reason: "is there already" }]);
      assert.deepEqual(tree.renamed, []);
    });
  });

  test("files of two folders keep both", async () => {
    const files = [chosen("one/a", "a"), chosen("two/b", "b")];
    await withChosen(files, { readBlob }, async (tree) => {
      assert.deepEqual(await drawChosen(tree.root), { one: { a: "a" }, two: { b: "b" } });
    });
  });

  test("listing reads no byte of any file, and asks none for its size", async () => {
    const before = reads.length;
    let asked = 0;
    const large = Object.defineProperty(chosen("big.bin", "x".repeat(99)), "size", {
      get() {
        asked += 1;
        return 99;
      },
    });
    await withChosen([large], { readBlob }, (tree) => assert.equal(tree.files, 1));
    assert.deepEqual([reads.length, asked], [before, 0]);
  });

  test("a file over the limit is listed, and cannot be read", async () => {
    const files = [chosen("large", "1234"), chosen("small", "123")];
    await withChosen(files, { readBlob, limits: { maxFileBytes: 3 } }, async (tree) => {
      assert.deepEqual(await drawChosen(tree.root), {
        large: "unreadable: it is 4 bytes large, over maxFileBytes (3)",
        small: "123",
      });
    });
  });

  test("a file that was moved meanwhile cannot be read, and the mount stays", async () => {
    const gone = new File(["text"], "gone.txt");
    await withChosen([gone], { readBlob }, async (tree) => {
      assert.deepEqual(await drawChosen(tree.root), {
        "gone.txt": "unreadable: the file was moved",
      });
    });
  });
});

test("the length of a text in UTF-8 is known without encoding it", () => {
  for (const text of [
    "",
    "abc",
    "é",
    "漢字",
    "🌳🌳",
    "a\uD800b",
    "\uDC00",
    "\uD800\uD800\uDC00",
    "\u07FF\u0800",
  ]) {
    assert.equal(utf8ByteLength(text), bytesOf(text).byteLength, JSON.stringify(text));
  }
});
