import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { DeferredError, type DirectoryEntry, type FileContent } from "../../src/sources/tree.ts";
import { deferredDirectory, type Questions } from "../support/deferred.ts";
import { startPython } from "../support/python/pyodide.ts";

const LIST = "answer = sorted(listed(root))";
const read = (path: string) => `answer = content(root + "/${path}").decode()`;
const attempt = (ask: string, path: string) => `answer = outcome(${ask}, root + "${path}")`;

/** A file whose bytes come after a wait. */
function remoteTree(fetchWhole: Extract<FileContent, { kind: "remote" }>["fetchWhole"]) {
  const root: DirectoryEntry = { kind: "directory", modifiedMs: 0, children: new Map() };
  const content: FileContent = { kind: "remote", fetchWhole };
  root.children.set("far.txt", { kind: "file", sizeBytes: 4, modifiedMs: 0, content });
  return root;
}

const python = await startPython();

describe("entries that have to be waited for, under a real interpreter", () => {
  test("mounting asks for nothing, and listing for one directory", async () => {
    const asked: Questions = [];
    const root = python.mount(deferredDirectory({ "b.txt": "b", src: { "a.py": "a" } }, asked));
    assert.deepEqual(asked, []);
    const { outcome, faults } = await python.look(root, LIST);
    assert.deepEqual([outcome, faults, asked], [["b.txt", "src"], [], ["list ."]]);
  });

  test("reading a file asks for the way to it, each step once", async () => {
    const asked: Questions = [];
    const tree = { other: { "x.txt": "x" }, src: { lib: { "a.py": "a = 1\n" } } };
    const root = python.mount(deferredDirectory(tree, asked));
    const { outcome } = await python.look(root, read("src/lib/a.py"));
    assert.equal(outcome, "a = 1\n");
    assert.deepEqual(asked, ["find src", "find src/lib", "find src/lib/a.py", "look src/lib/a.py"]);
  });

  test("a walk sees the whole tree, and runs once for each level at most", async () => {
    const tree = { a: { aa: { "1.txt": "" }, ab: {} }, b: { ba: { "2.txt": "" } }, "0.txt": "" };
    const asked: Questions = [];
    const root = python.mount(deferredDirectory(tree, asked));
    const { outcome, runs } = await python.look(root, "answer = walked(root)");
    assert.deepEqual(outcome, [
      [".", ["a", "b"], ["0.txt"]],
      ["a", ["aa", "ab"], []],
      ["a/aa", [], ["1.txt"]],
      ["a/ab", [], []],
      ["b", ["ba"], []],
      ["b/ba", [], ["2.txt"]],
    ]);
    assert.equal(runs, 4);
    assert.deepEqual([...asked].sort(), [
      "list .",
      "list a",
      "list a/aa",
      "list a/ab",
      "list b",
      "list b/ba",
    ]);
  });

  test("a walk that stops early lists a part of a wide tree only", async () => {
    const names = Array.from({ length: 500 }, (_, index) => `d${String(index).padStart(4, "0")}`);
    const asked: Questions = [];
    const tree = Object.fromEntries(names.map((name) => [name, { "f.txt": "" }]));
    const root = python.mount(deferredDirectory(tree, asked));
    const { outcome } = await python.look(
      root,
      `
answer = []
for name in sorted(listed(root)):
    answer += listed(f"{root}/{name}")
    if len(answer) == 20:
        break
`,
    );
    assert.deepEqual(
      outcome,
      Array.from({ length: 20 }, () => "f.txt"),
    );
    assert.equal(asked.length, 1 + 4 + 8 + 16);
  });

  test("a call that looks at thousands of files runs a few times only", async () => {
    const names = Array.from({ length: 2000 }, (_, index) => `${index}.txt`);
    const root = python.mount(deferredDirectory(Object.fromEntries(names.map((n) => [n, "12"]))));
    const { outcome, runs } = await python.look(
      root,
      'answer = sum(system.lstat(f"{root}/{name}").st_size for name in listed(root))',
    );
    assert.deepEqual([outcome, runs], [4000, 11]);
  });

  test("each call sees what is there now", async () => {
    const tree: Record<string, string | Record<string, string>> = { "a.txt": "before", b: {} };
    const root = python.mount(deferredDirectory(tree));
    assert.equal((await python.look(root, read("a.txt"))).outcome, "before");
    tree["a.txt"] = "after!";
    tree.b = "now a file";
    const both = `answer = [content(f"{root}/{name}").decode() for name in ("a.txt", "b")]`;
    assert.deepEqual((await python.look(root, both)).outcome, ["after!", "now a file"]);
    delete tree["a.txt"];
    const gone = await python.look(root, attempt("content", "/a.txt"));
    assert.deepEqual([gone.outcome, gone.faults], ["No such file or directory (os error 2)", []]);
    assert.deepEqual((await python.look(root, LIST)).outcome, ["b"]);
  });

  test("sizes and times are those of the file, and a directory has no time", async () => {
    const root = python.mount(deferredDirectory({ "é.txt": "é", d: {} }));
    const look = `answer = {name: status(f"{root}/{name}") for name in listed(root)}`;
    const { outcome } = await python.look(root, look);
    assert.deepEqual(outcome, {
      "é.txt": ["0o100644", 2, 1_000_000_000],
      d: ["0o40555", 4096, 0],
    });
  });

  test("what is forbidden, unreadable or vanished has its error, and the reason is told", async () => {
    const tree = {
      denied: new DeferredError("forbidden", "the browser does not allow it"),
      broken: new DeferredError("unreadable", "the disk is broken\n"),
      gone: new DeferredError("missing", "it is no longer there"),
    };
    const root = python.mount(deferredDirectory(tree));
    const outcomes = [];
    for (const name of ["denied", "broken", "gone"]) {
      const { outcome, faults } = await python.look(root, attempt("status", `/${name}`));
      outcomes.push([outcome, faults]);
    }
    assert.deepEqual(outcomes, [
      [
        "Permission denied (os error 13)",
        ["'/project/denied' cannot be read: the browser does not allow it"],
      ],
      [
        "Input/output error (os error 5)",
        ["'/project/broken' cannot be read: the disk is broken\\u{A}"],
      ],
      [
        "No such file or directory (os error 2)",
        ["'/project/gone' cannot be read: it is no longer there"],
      ],
    ]);
    assert.deepEqual(
      (await python.look(root, attempt("content", "/denied"))).outcome,
      "Permission denied (os error 13)",
    );
  });

  test("a directory that vanished is an error and no empty listing", async () => {
    const missing = new DeferredError("missing", "it is no longer there");
    const root = python.mount({
      kind: "deferred-directory",
      find: () => Promise.reject(missing),
      list: () => Promise.reject(missing),
    });
    const { outcome, faults } = await python.look(root, attempt("listed", ""));
    assert.deepEqual(
      [outcome, faults],
      ["Input/output error (os error 5)", ["'/project' cannot be read: it is no longer there"]],
    );
  });

  test("remote bytes are fetched when they are first read, and once", async () => {
    let fetched = 0;
    const root = python.mount(
      remoteTree(async () => {
        fetched += 1;
        return new TextEncoder().encode("far\n");
      }),
    );
    assert.deepEqual((await python.look(root, LIST)).outcome, ["far.txt"]);
    assert.equal(fetched, 0);
    for (let call = 0; call < 2; call += 1) {
      const { outcome } = await python.look(root, read("far.txt"));
      assert.equal(outcome, "far\n");
    }
    assert.equal(fetched, 1);
  });

  test("remote bytes that cannot be fetched are an error of that file, and fetched again", async () => {
    let fetched = 0;
    const root = python.mount(
      remoteTree(async () => {
        fetched += 1;
        throw new Error("the server answered HTTP 503");
      }),
    );
    for (let call = 0; call < 2; call += 1) {
      const { outcome, faults } = await python.look(root, attempt("content", "/far.txt"));
      assert.deepEqual(
        [outcome, faults],
        [
          "Input/output error (os error 5)",
          ["'/project/far.txt' cannot be read: the server answered HTTP 503"],
        ],
      );
    }
    assert.equal(fetched, 2);
  });

  test("a call that is aborted while it waits ends at once, and the next one works", async () => {
    const controller = new AbortController();
    const reason = new Error("abandoned");
    let isStuck = true;
    const root = python.mount(
      remoteTree(async () => {
        if (isStuck) {
          queueMicrotask(() => controller.abort(reason));
          await new Promise(() => undefined);
        }
        return new TextEncoder().encode("far\n");
      }),
    );
    await assert.rejects(python.look(root, read("far.txt"), controller.signal), reason);
    isStuck = false;
    assert.equal((await python.look(root, read("far.txt"))).outcome, "far\n");
  });
});
