import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import type { TreeglassClient } from "../../src/client/client.ts";
import type { NestedEntries } from "../../src/client/sources.ts";
import { connected } from "../support/connected.ts";
import { draw, listEntries, reportOf, reportWith } from "../support/mounting.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

describe("a tree written down in nested form", () => {
  test("is the same tree as its flat form, and both mix", async () => {
    const entries: NestedEntries = {
      src: {
        directory: {
          "a.py": { file: { contents: "first" } },
          "deep/b.py": { file: { contents: bytesOf("second") } },
          link: { file: { symlink: "a.py" } },
          flat: "third",
          dated: { directory: { x: null }, modifiedMs: 5 },
        },
      },
      "src/deep/c.py": "fourth",
      empty: { directory: {} },
      marked: { directory: true },
    };
    const tree = await listEntries(entries);
    assert.deepEqual(draw(tree.root), {
      src: {
        "a.py": "first",
        deep: { "b.py": "second", "c.py": "fourth" },
        link: { symlink: "a.py" },
        flat: "third",
        dated: { x: {} },
      },
      empty: {},
      marked: {},
    });
    assert.deepEqual(
      reportOf(tree),
      reportWith({ files: 4, directories: 6, symlinks: 1, bytes: 22 }),
    );
  });

  test("keeps the order in which it is written down", async () => {
    const b = { directory: { z: "", y: { directory: { x: "" } }, w: "" } };
    const tree = await listEntries({ c: "", b, a: "" });
    const names = (directory: typeof tree.root): unknown[] =>
      [...directory.children].map(([name, entry]) =>
        entry.kind === "directory" ? [name, names(entry)] : name,
      );
    assert.deepEqual(names(tree.root), ["c", ["b", ["z", ["y", ["x"]], "w"]], "a"]);
  });

  test("leaves out what the mount skips, and reports it once", async () => {
    const modules = { directory: { a: { directory: { "index.js": "" } }, b: "" } };
    const tree = await listEntries({ node_modules: modules, src: "" }, { skip: ["node_modules"] });
    assert.deepEqual(draw(tree.root), { src: "" });
    assert.deepEqual(tree.skipped, [
      { path: "node_modules", reason: "left out by the skip option" },
    ]);
  });

  test("that holds itself ends at the depth that a mount allows", async () => {
    const turning: Record<string, unknown> = { file: "text" };
    turning.again = { directory: turning };
    const tree = await listEntries(turning, { limits: { maxDepth: 2 } });
    assert.deepEqual(draw(tree.root), {
      file: "text",
      again: { file: "text", again: { file: "text", again: {} } },
    });
    assert.deepEqual(tree.skipped, [
      { path: "again/again/again/file", reason: "lies 3 directories deep, over maxDepth (2)" },
      { path: "again/again/again/again", reason: "lies 3 directories deep, over maxDepth (2)" },
    ]);
  });

  test("that branches into itself ends at the number of entries that a mount allows", async () => {
    const turning: Record<string, unknown> = {};
    turning.left = { directory: turning };
    turning.right = { directory: turning };
    await assert.rejects(listEntries(turning, { limits: { maxEntries: 1000 } }), {
      name: "LimitExceeded",
      message:
        "The tree has more than 1000 entries (maxEntries); mount a part of it, leave out what is not needed with skip, or raise limits.maxEntries",
    });
  });

  test("ends when its paths become too long, even if they resolve to short ones", async () => {
    const up: Record<string, unknown> = {};
    up["a/.."] = { directory: up };
    const tree = await listEntries({ up: { directory: up } }, { limits: { maxPathBytes: 12 } });
    assert.deepEqual(draw(tree.root), { up: {} });
    assert.deepEqual(tree.skipped, [
      { path: "up/a/../a/../a/..", reason: "has a path over maxPathBytes (12)" },
    ]);
  });
});

describe("a file with a mode and a date", () => {
  test("keeps the date, and the mode is nothing to a read-only tree", async () => {
    const tree = await listEntries({
      dated: { content: "first", mode: 0o755, mtime: new Date(1234) },
      both: { content: bytesOf("second"), mtime: new Date(1234), modifiedMs: 5 },
      never: { content: "third", mtime: new Date(Number.NaN) },
    });
    const times = [...tree.root.children].map(([name, entry]) => [
      name,
      entry.kind === "file" && entry.modifiedMs,
    ]);
    assert.deepEqual(times, [
      ["dated", 1234],
      ["both", 5],
      ["never", 0],
    ]);
    assert.deepEqual([tree.files, tree.skipped], [3, []]);
  });
});

describe("a source in the wrong form", () => {
  const PLAIN =
    "cannot be copied to the worker, as a proxy that Vue's ref() or Svelte's $state made; pass the plain value, by toRaw() or $state.snapshot().";
  const entries = { "a.md": "text", src: { directory: { "b.md": "text" } } };
  const sources: [string, object, string][] = [
    ["entries in a proxy", { entries: new Proxy(entries, {}) }, `entries ${PLAIN}`],
    [
      "a directory in a proxy",
      { entries: { ...entries, src: new Proxy(entries.src, {}) } },
      `entries["src"] ${PLAIN}`,
    ],
    [
      "the name of an archive",
      { archive: "tree.zip" },
      'The archive is a text, and not its bytes; pass a Blob, an ArrayBuffer or a Uint8Array, or its address as { url: "tree.zip" }.',
    ],
  ];
  for (const [what, given, message] of sources) {
    test(`${what} is refused with the right one`, async (context) => {
      const { client } = await connected();
      context.after(() => client.close());
      // A page without types can pass anything.
      const source = JSON.parse("{}");
      Object.assign(source, given);
      await assert.rejects(client.mount("/repo", source), {
        name: "SourceUnknown",
        message,
      });
    });
  }
});

describe("a function in a tree", () => {
  let client: TreeglassClient | null = null;
  afterEach(() => client?.close());

  const lazy = () => "text";
  const places: [string, object][] = [
    ["a.md", { "a.md": lazy }],
    ["a.md", { "z.md": "", "a.md": { content: lazy } }],
    ["src/deep/a.md", { src: { directory: { "deep/a.md": { file: { contents: lazy } } } } }],
  ];
  for (const [path, entries] of places) {
    test(`is refused by its path: ${path} of ${Object.keys(entries)}`, async () => {
      const one = await connected();
      client = one.client;
      const source = { entries: JSON.parse("{}") };
      Object.assign(source.entries, entries);
      await assert.rejects(client.mount("/repo", source), {
        name: "SourceUnknown",
        message: `entries["${path}"] is a function, which cannot be sent to the worker; call it, and pass the text or the bytes that it returns.`,
      });
      assert.equal((await client.mount("/repo", { entries: { a: "" } })).files, 1);
    });
  }
});
