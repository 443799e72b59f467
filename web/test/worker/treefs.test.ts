import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { DirectoryEntry } from "../../src/sources/tree.ts";
import { listEntries } from "../support/mounting.ts";
import { type Python, startPython } from "../support/pyodide.ts";

const WALK = `
answer = []
for folder, folders, files in os.walk(root):
    folders.sort()
    answer.append([os.path.relpath(folder, root), folders[:], files])
`;

/** Runs one statement and tells how it ended. */
const attempt = (statement: string) => `
import errno, mmap
try:
    ${statement}
    answer = "done"
except OSError as error:
    answer = errno.errorcode[error.errno]
`;

describe("treefs under a real interpreter", () => {
  let python: Python;
  before(async () => {
    python = await startPython();
  });

  async function mounted(entries: Readonly<Record<string, unknown>>): Promise<string> {
    return python.mount((await listEntries(entries)).root);
  }

  test("a tree is listed in the source's order", async () => {
    const root = await mounted({ "b.txt": "b", "src/z.py": "", "src/10": "", a: "a", empty: null });
    assert.deepEqual(python.ask(root, `answer = [os.listdir(root), os.listdir(root + "/src")]`), [
      ["b.txt", "src", "a", "empty"],
      ["z.py", "10"],
    ]);
    assert.deepEqual(python.ask(root, WALK), [
      [".", ["empty", "src"], ["b.txt", "a"]],
      ["empty", [], []],
      ["src", [], ["z.py", "10"]],
    ]);
  });

  test("text, bytes and buffers are read to the last byte", async () => {
    const root = await mounted({
      text: "grüße 🌳\n",
      bytes: Uint8Array.of(0, 255, 1),
      buffer: Uint8Array.of(9, 8).buffer,
    });
    const read = `answer = {n: list(open(f"{root}/{n}", "rb").read()) for n in os.listdir(root)}`;
    assert.deepEqual(python.ask(root, read), {
      text: [...new TextEncoder().encode("grüße 🌳\n")],
      bytes: [0, 255, 1],
      buffer: [9, 8],
    });
  });

  test("seeking goes anywhere, and past the end there is nothing", async () => {
    const root = await mounted({ digits: "0123456789" });
    const seek = `
with open(root + "/digits", "rb", buffering=0) as f:
    answer = [f.seek(4), f.read(2).decode(), f.seek(-3, 2), f.read().decode(), f.seek(1, 1),
              f.read().decode(), f.seek(0), f.read(3).decode(), f.tell()]
`;
    assert.deepEqual(python.ask(root, seek), [4, "45", 7, "789", 11, "", 0, "012", 3]);
    const before = attempt(`open(root + "/digits", "rb", buffering=0).seek(-1)`);
    assert.equal(python.ask(root, before), "EINVAL");
  });

  test("attributes show sizes in bytes and no permission to write", async () => {
    const root = await mounted({
      "f.txt": { content: "é", modifiedMs: 1_600_000_000_500 },
      d: { directory: true, modifiedMs: 2000 },
      l: { symlink: "é", modifiedMs: 3000 },
    });
    const look = `
answer = {}
for name in os.listdir(root):
    s = os.lstat(f"{root}/{name}")
    answer[name] = [oct(s.st_mode), s.st_size, s.st_mtime_ns]
`;
    assert.deepEqual(python.ask(root, look), {
      "f.txt": ["0o100444", 2, 1_600_000_000_500_000_000],
      d: ["0o40555", 4096, 2_000_000_000],
      l: ["0o120777", 2, 3_000_000_000],
    });
  });

  test("symbolic links are links, and lead where they point", async () => {
    const root = await mounted({
      "real/f.txt": "text",
      "real/up": { symlink: "../real/f.txt" },
      "to-dir": { symlink: "real" },
      gone: { symlink: "nowhere" },
      loop: { symlink: "loop" },
    });
    const look = `
import errno
answer = [os.readlink(root + "/to-dir"), open(root + "/to-dir/up").read(),
          os.path.islink(root + "/gone"), os.path.exists(root + "/gone"),
          os.path.realpath(root + "/to-dir/up") == root + "/real/f.txt"]
try:
    os.stat(root + "/loop")
except OSError as error:
    answer.append(errno.errorcode[error.errno])
`;
    assert.deepEqual(python.ask(root, look), ["real", "text", true, false, true, "ELOOP"]);
  });

  test("an absolute link into the mount is followed, and another leads nowhere", async () => {
    const root = await mounted({
      "real/f.txt": "text",
      "deep/er/in": { symlink: "/project/real/f.txt" },
      top: { symlink: "/project" },
      out: { symlink: "/elsewhere/f.txt" },
    });
    const look = `answer = [open(root + "/deep/er/in").read(), os.listdir(root + "/top/real"),
      os.readlink(root + "/out"), os.path.exists(root + "/out")]`;
    assert.deepEqual(python.ask(root, look), ["text", ["f.txt"], "/elsewhere/f.txt", false]);
  });

  const writes = {
    "opening for writing": `open(root + "/f.txt", "w")`,
    "opening for appending": `open(root + "/f.txt", "a")`,
    "opening for reading and writing": `open(root + "/f.txt", "r+b")`,
    "opening for writing without cutting": `os.open(root + "/f.txt", os.O_WRONLY)`,
    "creating a file": `open(root + "/new", "w")`,
    "creating a file exclusively": `open(root + "/new", "x")`,
    "making a directory": `os.mkdir(root + "/new")`,
    "making a link": `os.symlink("f.txt", root + "/new")`,
    "removing a file": `os.unlink(root + "/f.txt")`,
    "removing a directory": `os.rmdir(root + "/d")`,
    "renaming a file": `os.rename(root + "/f.txt", root + "/g.txt")`,
    "renaming over a file": `os.replace(root + "/f.txt", root + "/h.txt")`,
    "renaming a directory": `os.rename(root + "/d", root + "/e")`,
    "changing a mode": `os.chmod(root + "/f.txt", 0o777)`,
    "changing a directory's mode": `os.chmod(root + "/d", 0o777)`,
    "changing an open file's mode": `os.fchmod(os.open(root + "/f.txt", os.O_RDONLY), 0o777)`,
    "changing an owner": `os.chown(root + "/f.txt", 1, 1)`,
    "changing times": `os.utime(root + "/f.txt", (1, 1))`,
    "changing a size": `os.truncate(root + "/f.txt", 0)`,
  };
  for (const [what, statement] of Object.entries(writes)) {
    test(`${what} is refused as a read-only filesystem`, async () => {
      const entries = { "f.txt": "text", "h.txt": "other", d: null };
      const root = await mounted(entries);
      assert.equal(python.ask(root, attempt(statement)), "EROFS");
      const after = `answer = [os.listdir(root), open(root + "/f.txt").read()]`;
      assert.deepEqual(python.ask(root, after), [Object.keys(entries), "text"]);
    });
  }

  test("a refused open gives its file descriptor back", async () => {
    const root = await mounted({ "f.txt": "text" });
    const open = `
first = os.open(root + "/f.txt", os.O_RDONLY)
os.close(first)
for _ in range(5000):
    try:
        os.open(root + "/f.txt", os.O_RDWR)
    except OSError:
        pass
answer = os.open(root + "/f.txt", os.O_RDONLY) - first
`;
    assert.equal(python.ask(root, open), 0);
  });

  test("names that mean something to JavaScript are ordinary", async () => {
    const names = ["__proto__", "constructor", "9", "10", "hasOwnProperty", "toString"];
    const entries = Object.fromEntries(names.map((name) => [`x/${name}`, name]));
    const root = await mounted({ ...entries, "constructor/__proto__/f": "deep" });
    const read = `
folder = root + "/x"
answer = [{n: open(f"{folder}/{n}").read() for n in os.listdir(folder)}, os.listdir(root)]
`;
    const expected = names.map((name): [string, string] => [name, name]);
    assert.deepEqual(python.ask(root, read), [parsedObject(expected), ["x", "constructor"]]);
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
    const look = `answer = {n: str(os.lstat(f"{root}/{n}").st_mtime_ns) for n in os.listdir(root)}`;
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
    const read = `answer = {n: open(f"{root}/{n}").read() for n in os.listdir(root)}`;
    assert.deepEqual(python.ask(root, read), Object.fromEntries(names.map((n) => [n, "text"])));
  });

  test("content that cannot be read is an input/output error, and the next file is read", async () => {
    const root: DirectoryEntry = { kind: "directory", modifiedMs: 0, children: new Map() };
    const readWhole = (): Uint8Array => {
      throw new Error("gone");
    };
    const content = { kind: "whole", readWhole } as const;
    root.children.set("bad", { kind: "file", sizeBytes: 5, modifiedMs: 0, content });
    const bytes = new TextEncoder().encode("good");
    const good = { kind: "bytes", bytes } as const;
    root.children.set("good", { kind: "file", sizeBytes: 4, modifiedMs: 0, content: good });
    const host = python.mount(root);
    assert.equal(python.ask(host, attempt(`open(root + "/bad").read()`)), "EIO");
    assert.equal(python.ask(host, `answer = open(root + "/good").read()`), "good");
  });

  test("50,000 files are mounted and walked", async () => {
    const entries = Object.fromEntries(
      Array.from({ length: 50_000 }, (_, index) => [`d${index % 100}/f${index}.txt`, "x"]),
    );
    const root = await mounted(entries);
    const walk = `
answer = [0, 0, 0]
for folder, folders, files in os.walk(root):
    answer[0] += len(folders)
    answer[1] += len(files)
    answer[2] += sum(os.lstat(f"{folder}/{name}").st_size for name in files)
`;
    assert.deepEqual(python.ask(root, walk), [100, 50_000, 50_000]);
    python.unmount(root);
    assert.equal(python.ask(root, "answer = os.path.exists(root)"), false);
  });

  test("two trees share nothing, and a tree that was taken away leaves the other", async () => {
    const first = await mounted({ "f.txt": "first" });
    const second = await mounted({ "f.txt": "second" });
    python.unmount(first);
    assert.deepEqual(
      python.ask(second, `answer = [os.path.exists("${first}"), open(root + "/f.txt").read()]`),
      [false, "second"],
    );
  });
});

/** Returns an object with these keys; `__proto__` among them is a key like any other. */
function parsedObject(pairs: readonly [string, string][]): unknown {
  return JSON.parse(`{${pairs.map((pair) => pair.map((t) => JSON.stringify(t)).join(":"))}}`);
}
