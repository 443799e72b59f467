import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { DirectoryEntry } from "../../src/sources/tree.ts";
import { listEntries } from "../support/mounting.ts";
import { startPython } from "../support/python/pyodide.ts";

const python = await startPython();

describe("mounted trees under a real interpreter", () => {
  async function mounted(entries: Readonly<Record<string, unknown>>): Promise<string> {
    return python.mount((await listEntries(entries)).root);
  }

  test("a tree is listed in the source's order", async () => {
    const root = await mounted({ "b.txt": "b", "src/z.py": "", "src/10": "", a: "a", empty: null });
    const list = `answer = [listed(root), listed(root + "/src"), listed(root + "/empty")]`;
    assert.deepEqual(python.ask(root, list), [["b.txt", "src", "a", "empty"], ["z.py", "10"], []]);
  });

  test("text, bytes and buffers are read to the last byte", async () => {
    const root = await mounted({
      text: "grüße 🌳\n",
      bytes: Uint8Array.of(0, 255, 1),
      buffer: Uint8Array.of(9, 8).buffer,
    });
    const read = `answer = {name: list(content(f"{root}/{name}")) for name in listed(root)}`;
    assert.deepEqual(python.ask(root, read), {
      text: [...new TextEncoder().encode("grüße 🌳\n")],
      bytes: [0, 255, 1],
      buffer: [9, 8],
    });
  });

  test("an absolute link into the mount is followed, and another leads nowhere", async () => {
    const root = await mounted({
      "real/f.txt": "text",
      "real/up": { symlink: "../real/f.txt" },
      "deep/er/in": { symlink: "/project/real/f.txt" },
      top: { symlink: "/project" },
      out: { symlink: "/elsewhere/f.txt" },
      loop: { symlink: "loop" },
    });
    const look = `
from treeglass import Workspace

workspace = Workspace({"/project": root}, file_system=system)

def text(name):
    try:
        with workspace.open(workspace.resolve(name)) as file:
            return file.read().decode()
    except WorkspaceError as error:
        return type(error).__name__

names = ["deep/er/in", "real/up", "top/real/f.txt", "out", "loop"]
answer = [text(name) for name in names]
`;
    assert.deepEqual(python.ask(root, look), [
      "text",
      "text",
      "text",
      "PathEscapesWorkspace",
      "SymlinkLoop",
    ]);
  });

  test("names that mean something to JavaScript are ordinary", async () => {
    const names = ["__proto__", "constructor", "9", "10", "hasOwnProperty", "toString"];
    const entries = Object.fromEntries(names.map((name) => [`x/${name}`, name]));
    const root = await mounted({ ...entries, "constructor/__proto__/f": "deep" });
    const read = `
folder = root + "/x"
read = [[name, content(f"{folder}/{name}").decode()] for name in listed(folder)]
answer = [read, listed(root), content(root + "/constructor/__proto__/f").decode()]
`;
    const expected = names.map((name) => [name, name]);
    assert.deepEqual(python.ask(root, read), [expected, ["x", "constructor"], "deep"]);
  });

  test("times that no date can hold do not end the interpreter", async () => {
    const times = {
      nan: Number.NaN,
      late: Number.POSITIVE_INFINITY,
      early: -Number.MAX_VALUE,
      before1970: -1500,
      fraction: 1.75,
    };
    const root = await mounted(
      Object.fromEntries(
        Object.entries(times).map(([name, modifiedMs]) => [name, { content: "", modifiedMs }]),
      ),
    );
    const look = `answer = {name: str(status(f"{root}/{name}")[2]) for name in listed(root)}`;
    assert.deepEqual(python.ask(root, look), {
      nan: "0",
      late: "8640000000000000000000",
      early: "-8640000000000000000000",
      before1970: "-2000000000",
      fraction: "1000000",
    });
  });

  test("names of 255 bytes are listed whole and opened", async () => {
    const names = ["a".repeat(255), "é".repeat(127), "🌳".repeat(63)];
    const root = await mounted(Object.fromEntries(names.map((name) => [name, "text"])));
    const read = `answer = [[name, content(f"{root}/{name}").decode()] for name in listed(root)]`;
    assert.deepEqual(
      python.ask(root, read),
      names.map((name) => [name, "text"]),
    );
  });

  test("content that cannot be read is an input/output error, and the next file is read", async () => {
    const root: DirectoryEntry = { kind: "directory", modifiedMs: 0, children: new Map() };
    const readWhole = (): Uint8Array => {
      throw new Error("gone");
    };
    const bad = { kind: "whole", readWhole } as const;
    root.children.set("bad", { kind: "file", sizeBytes: 5, modifiedMs: 0, content: bad });
    const good = { kind: "bytes", bytes: new TextEncoder().encode("good") } as const;
    root.children.set("good", { kind: "file", sizeBytes: 4, modifiedMs: 0, content: good });
    const read = `answer = [outcome(content, root + "/bad"), content(root + "/good").decode()]`;
    assert.deepEqual(python.ask(python.mount(root), read), [
      "Input/output error (os error 5)",
      "good",
    ]);
  });

  test("50,000 files are mounted, walked and removed", async () => {
    const entries = Object.fromEntries(
      Array.from({ length: 50_000 }, (_, index) => [`d${index % 100}/f${index}.txt`, "x"]),
    );
    const root = await mounted(entries);
    const walk = `
found = walked(root)
answer = [len(found), sum(len(files) for _, _, files in found)]
`;
    assert.deepEqual(python.ask(root, walk), [101, 50_000]);
    python.unmount(root);
    const missing = "No such file or directory (os error 2)";
    assert.equal(python.ask(root, "answer = outcome(listed, root)"), missing);
  });

  test("two trees share nothing, and a tree that was taken away leaves the other", async () => {
    const first = await mounted({ "f.txt": "first" });
    const second = await mounted({ "f.txt": "second" });
    python.unmount(first);
    const look = `answer = [outcome(status, "${first}"), content(root + "/f.txt").decode()]`;
    assert.deepEqual(python.ask(second, look), [
      "No such file or directory (os error 2)",
      "second",
    ]);
  });

  test("the interpreter's own files have nothing of a tree", async () => {
    const root = await mounted({ "f.txt": "text" });
    const look = "import os\nanswer = [os.path.exists(root), system.realpath(root) == root]";
    assert.deepEqual(python.ask(root, look), [false, true]);
  });
});
