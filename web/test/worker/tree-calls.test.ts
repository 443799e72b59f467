import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { DeferredDirectory, DirectoryEntry, FileContent } from "../../src/sources/tree.ts";
import { DeferredError } from "../../src/sources/tree.ts";
import { deferredDirectory, type Questions } from "../support/deferred.ts";
import { listEntries } from "../support/mounting.ts";
import { startPython } from "../support/python/pyodide.ts";

/** Asks everything about the top and each name, as the workspace does. */
const askAll = (names: readonly string[]): string => `
names = json.loads(${JSON.stringify(JSON.stringify(names))})

def read(path):
    with system.open(path) as file:
        head = file.readline(3)
        file.seek(1)
        part = file.read(2)
        return [list(head), list(part), list(file.read()), file.tell(), list(file.read(5))]

answer = {}
for name in ["", *names]:
    path = f"{root}/{name}" if name else root
    listed = outcome(system.entries, path, 1000)
    if isinstance(listed, list):
        listed = [[entry.name, entry.kind] for entry in listed]
    answer[name] = [listed, outcome(status, path), outcome(system.readlink, path),
                    outcome(read, path)]
`;

const NO_LINK = "Invalid argument (os error 22)";
const NO_DIRECTORY = "Not a directory (os error 20)";
const NOTHING = "No such file or directory (os error 2)";

function codesOf(text: string): number[] {
  return [...new TextEncoder().encode(text)];
}

interface Asked {
  readonly outcome: unknown;
  readonly faults: readonly string[];
}

const python = await startPython();

describe("the trees as the wheel asks for them", () => {
  async function answersAbout(
    tree: DirectoryEntry | DeferredDirectory,
    names: readonly string[],
  ): Promise<Asked> {
    const root = python.mount(tree);
    const { outcome, faults } = await python.look(root, askAll(names));
    python.unmount(root);
    return { outcome, faults };
  }

  test("a directory tells times and sizes of its entries, and a missing one has neither", async () => {
    const { root } = await listEntries({
      "é 🌳.txt": "grüße",
      "old.txt": { content: "é", modifiedMs: -2000 },
      "new.txt": { content: "é", modifiedMs: 1_600_000_000_500 },
      folder: { directory: true, modifiedMs: 2000 },
      link: { symlink: "é" },
    });
    root.children.set("exact", {
      kind: "file",
      sizeBytes: 0,
      modifiedMs: -1500,
      modifiedNs: 300,
      content: { kind: "bytes", bytes: new Uint8Array() },
    });
    const names = JSON.stringify([...root.children.keys(), "missing", "__proto__"]);
    const { outcome, faults } = await python.look(
      python.mount(root),
      `
names = json.loads(${JSON.stringify(names)})
paths = [root + "/" + name for name in names]
answer = [system.modified_times(root, names), system.sizes_and_times(paths)]
`,
    );
    const ns = [0, -2_000_000_000, 1_600_000_000_500_000_000, 2_000_000_000, 0, -1_499_999_700];
    const sizes = [7, 2, 2, 4096, 2, 0];
    const both = sizes.map((size, index) => [size, ns[index]]);
    assert.deepEqual(
      [outcome, faults],
      [
        [
          [...ns, null, null],
          [...both, null, null],
        ],
        [],
      ],
    );
  });

  test("files, directories and links have the answers of a read-only disk", async () => {
    const { root } = await listEntries({
      "b.txt": "line\nline 2\n",
      "empty.txt": "",
      "é 🌳.txt": "grüße",
      "src/10": "ten",
      "src/up": { symlink: "../b.txt" },
      "old.txt": { content: "é", modifiedMs: -1500 },
      "new.txt": { content: "é", modifiedMs: 1_600_000_000_500 },
      folder: { directory: true, modifiedMs: 2000 },
      link: { symlink: "é" },
      loop: { symlink: "loop" },
    });
    const names = [...root.children.keys(), "src/10", "src/up", "missing", "src/missing"];
    const { outcome } = await answersAbout(root, [...names, "b.txt/below", "__proto__"]);
    const links = { link: "é", loop: "loop", "src/up": "../b.txt" };
    const read = {
      "b.txt": [0, codesOf("lin"), codesOf("in"), codesOf("e\nline 2\n"), 12],
      "empty.txt": [0, [], [], [], 1],
      "é 🌳.txt": [0, [103, 114, 195], [114, 195], [188, 195, 159, 101], 7],
      "old.txt": [-2_000_000_000, codesOf("é"), [169], [], 2],
      "new.txt": [1_600_000_000_500_000_000, codesOf("é"), [169], [], 2],
      "src/10": [0, codesOf("ten"), codesOf("en"), [], 3],
    };
    const sizes = [12, 0, 7, 2, 2, 3];
    const kinds = new Map([
      ...["src", "folder"].map((name) => [name, "directory"] as const),
      ...["link", "loop"].map((name) => [name, "symlink"] as const),
    ]);
    const top = [...root.children.keys()].map((name) => [name, kinds.get(name) ?? "file"]);
    const isDirectory = [NO_LINK, "Is a directory (os error 21)"];
    assert.deepEqual(outcome, {
      "": [top, ["0o40555", 4096, 0], ...isDirectory],
      src: [
        [
          ["10", "file"],
          ["up", "symlink"],
        ],
        ["0o40555", 4096, 0],
        ...isDirectory,
      ],
      folder: [[], ["0o40555", 4096, 2_000_000_000], ...isDirectory],
      ...Object.fromEntries(
        Object.entries(read).map(([name, [time, ...parts]], index) => [
          name,
          [NO_DIRECTORY, ["0o100644", sizes[index], time], NO_LINK, [...parts, []]],
        ]),
      ),
      ...Object.fromEntries(
        Object.entries(links).map(([name, target]) => [
          name,
          [
            NO_DIRECTORY,
            ["0o120777", codesOf(target).length, 0],
            target,
            "Too many levels of symbolic links (os error 40)",
          ],
        ]),
      ),
      missing: Array(4).fill(NOTHING),
      "src/missing": Array(4).fill(NOTHING),
      ["__proto__"]: Array(4).fill(NOTHING),
      "b.txt/below": Array(4).fill(NO_DIRECTORY),
    });
  });

  test("a pipe is listed and refused", async () => {
    const tree: DirectoryEntry = { kind: "directory", modifiedMs: 0, children: new Map() };
    tree.children.set("pipe", { kind: "special", modifiedMs: 3000 });
    const asked = await answersAbout(tree, ["pipe"]);
    assert.deepEqual(Object(asked.outcome).pipe, [
      NO_DIRECTORY,
      ["0o20444", 0, 3_000_000_000],
      "Invalid argument (os error 22)",
      "not a regular file",
    ]);
  });

  test("what arrives later is waited for, and what cannot be read has its error", async () => {
    const tree = {
      "a.txt": "after a wait",
      src: { lib: { "b.py": "b = 1\n" } },
      denied: new DeferredError("forbidden", "the browser does not allow it"),
      broken: new DeferredError("unreadable", "the disk is broken"),
      gone: new DeferredError("missing", "it is no longer there"),
    };
    const names = [...Object.keys(tree), "src/lib", "src/lib/b.py", "src/none", "a.txt/below"];
    const questions: Questions = [];
    const asked = await answersAbout(deferredDirectory(tree, questions), names);
    const isDirectory = [["0o40555", 4096, 0], NO_LINK, "Is a directory (os error 21)"];
    const isFile = (sizeBytes: number, read: unknown) => [
      NO_DIRECTORY,
      ["0o100644", sizeBytes, 1_000_000_000],
      NO_LINK,
      read,
    ];
    const fails = (text: string) => [text, text, NO_LINK, text];
    const top = Object.keys(tree).map((name) => [name, name === "src" ? "directory" : "file"]);
    assert.deepEqual(asked.outcome, {
      "": [top, ...isDirectory],
      "a.txt": isFile(12, [codesOf("aft"), codesOf("ft"), codesOf("er a wait"), 12, []]),
      src: [[["lib", "directory"]], ...isDirectory],
      "src/lib": [[["b.py", "file"]], ...isDirectory],
      "src/lib/b.py": isFile(6, [codesOf("b ="), codesOf(" ="), codesOf(" 1\n"), 6, []]),
      denied: fails("Permission denied (os error 13)"),
      broken: fails("Input/output error (os error 5)"),
      gone: fails(NOTHING),
      "src/none": Array(4).fill(NOTHING),
      "a.txt/below": Array(4).fill(NO_DIRECTORY),
    });
    assert.deepEqual(asked.faults, [
      "'/project/denied' cannot be read: the browser does not allow it",
      "'/project/broken' cannot be read: the disk is broken",
      "'/project/gone' cannot be read: it is no longer there",
    ]);
    assert.deepEqual(questions, [
      "list .",
      "find a.txt",
      "look a.txt",
      "list src",
      "look denied",
      "look broken",
      "look gone",
      "list src/lib",
      "find src/lib/b.py",
      "look src/lib/b.py",
    ]);
  });

  test("bytes that come after a wait, and bytes that cannot be inflated", async () => {
    const fileOf = (content: FileContent): DirectoryEntry => ({
      kind: "directory",
      modifiedMs: 0,
      children: new Map([["f", { kind: "file", sizeBytes: 4, modifiedMs: 0, content }]]),
    });
    const far: FileContent = {
      kind: "remote",
      fetchWhole: async () => Uint8Array.of(1, 2, 10, 4),
    };
    const torn: FileContent = {
      kind: "whole",
      readWhole: () => {
        throw new Error("the content is larger than declared");
      },
    };
    const ask = async (content: FileContent) => {
      const { outcome, faults } = await answersAbout(fileOf(content), ["f"]);
      return [Object(outcome).f[3], faults];
    };
    assert.deepEqual(await ask(far), [[[1, 2, 10], [2, 10], [4], 4, []], []]);
    assert.deepEqual(await ask(torn), [
      "Input/output error (os error 5)",
      ["'/project/f' cannot be read: the content is larger than declared"],
    ]);
  });

  test("a name that is no text names no entry, and never one with U+FFFD", async () => {
    const { root } = await listEntries({ "\uFFFD": "text" });
    const mounted = python.mount(root);
    const statements = `
answer = []
for name in ["\\udcff", "\\ud800", "\\ufffd"]:
    try:
        answer.append(system.lstat(f"{root}/{name}").st_size)
    except FileNotFoundError:
        answer.append(None)
`;
    assert.deepEqual(python.ask(mounted, statements), [null, null, 4]);
  });

  test("half of a surrogate pair in a name is invalid bytes, as the system spells it", async () => {
    const tree: DirectoryEntry = { kind: "directory", modifiedMs: 0, children: new Map() };
    tree.children.set("\ud800", { kind: "symlink", target: "\udc00", modifiedMs: 0 });
    const { outcome } = await answersAbout(tree, []);
    assert.deepEqual(Object(outcome)[""][0], [["\udced\udca0\udc80", "symlink"]]);
  });

  test("a large file is read in growing steps, and anew by the next call", async () => {
    const sizeBytes = 40 * 1024 * 1024;
    const read: (readonly [number, number])[] = [];
    const readRange = (start: number, end: number) => {
      read.push([start / 1024 / 1024, end / 1024 / 1024]);
      return new Uint8Array(end - start).fill(read.length);
    };
    const content: FileContent = { kind: "ranges", readRange };
    const tree: DirectoryEntry = { kind: "directory", modifiedMs: 0, children: new Map() };
    tree.children.set("big", { kind: "file", sizeBytes, modifiedMs: 0, content });
    const root = python.mount(tree);
    const statements = `
with system.open(root + "/big") as file:
    answer = [0, []]
    while block := file.read(1 << 20):
        answer[0] += len(block)
        if [block[0]] != answer[1][-1:]:
            answer[1].append(block[0])
    file.seek(0)
    answer.append(file.read(1)[0])
`;
    const windows = [
      [0, 1],
      [1, 3],
      [3, 7],
      [7, 15],
      [15, 31],
      [31, 40],
      [0, 1],
    ];
    const { outcome } = await python.look(root, statements);
    assert.deepEqual(outcome, [sizeBytes, [1, 2, 3, 4, 5, 6], 7]);
    assert.deepEqual(read, windows);
    await python.look(root, statements);
    assert.deepEqual(read, [...windows, ...windows]);
  });
});
