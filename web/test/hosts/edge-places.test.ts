import assert from "node:assert/strict";
import fs, {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import { openHostDirectory } from "../../src/hosts/thread/worker/host-directory.ts";
import { canHold } from "../../src/hosts/thread/worker/host-place.ts";
import { DEFAULT_LIMITS } from "../../src/protocol/mount-report.ts";
import type { DeferredDirectory, FileEntry, TreeEntry } from "../../src/sources/tree.ts";

let base: string;
let folder: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "treeglass-places-")));
  folder = join(base, "folder");
  mkdirSync(join(folder, "a"), { recursive: true });
  mkdirSync(join(base, "outside"));
  writeFileSync(join(folder, "a", "name"), "inside\n");
  writeFileSync(join(base, "outside", "name"), "outside\n");
});
afterEach(() => rmSync(base, { recursive: true }));

const open = (skip: readonly string[] = []) => openHostDirectory(folder, DEFAULT_LIMITS, skip).root;

function asDirectory(entry: TreeEntry | null): DeferredDirectory {
  assert.ok(entry?.kind === "deferred-directory");
  return entry;
}

function lookAt(entry: TreeEntry | null): FileEntry {
  assert.ok(entry?.kind === "deferred-file");
  const file = entry.inspect();
  assert.ok(!(file instanceof Promise));
  return file;
}

function readOf({ content }: FileEntry): string {
  assert.ok(content.kind === "ranges");
  return new TextDecoder().decode(content.readRange(0, 40));
}

/** Returns the answer to each question, or its refusal. */
function answersTo(...questions: readonly (() => unknown)[]): unknown[] {
  return questions.map((ask) => {
    try {
      return ask();
    } catch (error) {
      return String(error);
    }
  });
}

const findIn = (directory: DeferredDirectory, name: string) => {
  const found = directory.find(name);
  assert.ok(!(found instanceof Promise));
  return found;
};
const GONE = "Error: it is no longer there";

describe("a folder that a link takes the place of", () => {
  for (const [title, swapped] of [
    ["below the mount", "a"],
    ["that is the mount itself", ""],
  ] as const) {
    test(`${title} is not followed by entries that were found before`, () => {
      const root = asDirectory(open());
      const a = asDirectory(findIn(root, "a"));
      const name = findIn(a, "name");
      const seen = lookAt(name);
      assert.equal(readOf(seen), "inside\n");
      const place = join(folder, swapped);
      renameSync(place, join(base, "elsewhere"));
      mkdirSync(join(base, "outside", "a"));
      writeFileSync(join(base, "outside", "a", "name"), "outside\n");
      symlinkSync(join(base, "outside"), place);
      assert.deepEqual(
        answersTo(
          () => a.list(),
          () => a.inspect?.(),
          () => a.find("name"),
          () => lookAt(name),
          () => readOf(seen),
        ),
        [GONE, GONE, null, GONE, GONE],
      );
    });
  }

  test("is found as the link that it is", () => {
    const root = asDirectory(open());
    renameSync(join(folder, "a"), join(base, "elsewhere"));
    symlinkSync(join(base, "outside"), join(folder, "a"));
    const { kind } = findIn(root, "a") ?? {};
    assert.equal(kind, "symlink");
  });
});

describe("a folder that a link takes the place of during one system call", () => {
  const { lstatSync, openSync, readdirSync, readlinkSync, fstatSync, readSync } = fs;
  const { native } = fs.realpathSync;
  const restore = () => {
    mock.restoreAll();
    syncBuiltinESMExports();
  };
  afterEach(restore);

  /** Has a link in the folder's place during the call of the given number; counts the calls. */
  function swapDuring(call: number, place: string): { calls: number } {
    const count = { calls: 0 };
    const watched =
      <Arguments extends unknown[], Result>(ask: (...given: Arguments) => Result) =>
      (...given: Arguments): Result => {
        count.calls += 1;
        if (count.calls !== call) {
          return ask(...given);
        }
        renameSync(place, join(base, "elsewhere"));
        symlinkSync(join(base, "outside"), place);
        try {
          return ask(...given);
        } finally {
          unlinkSync(place);
          renameSync(join(base, "elsewhere"), place);
        }
      };
    mock.method(fs, "lstatSync", watched(lstatSync));
    mock.method(fs, "openSync", watched(openSync));
    mock.method(fs, "readdirSync", watched(readdirSync));
    mock.method(fs, "readlinkSync", watched(readlinkSync));
    mock.method(fs, "fstatSync", watched(fstatSync));
    mock.method(fs, "readSync", watched(readSync));
    mock.method(fs.realpathSync, "native", watched(native));
    syncBuiltinESMExports();
    return count;
  }

  /** Returns what is answered to a swap during the first system call, the second, … */
  function answersToEachSwap(swapped: string, ask: () => unknown): unknown[] {
    const answers = new Set<string>();
    for (let call = 1, isReached = true; isReached; call += 1) {
      const count = swapDuring(call, join(folder, swapped));
      answers.add(JSON.stringify(answersTo(ask)[0]));
      restore();
      isReached = count.calls >= call;
    }
    return [...answers].sort().map((answer) => JSON.parse(answer));
  }

  beforeEach(() => {
    mkdirSync(join(folder, "a", "b"));
    mkdirSync(join(base, "outside", "b"));
    for (const [place, content] of [
      [join(folder, "a", "b"), "inside\n"],
      [join(base, "outside", "b"), "of outside\n"],
      [join(base, "outside"), "of outside\n"],
    ] as const) {
      writeFileSync(join(place, "name"), content);
      symlinkSync(content.trim(), join(place, "link"));
    }
    writeFileSync(join(base, "outside", "b", "secret"), "of outside\n");
    writeFileSync(join(base, "outside", "secret"), "of outside\n");
  });

  const isHeld = canHold(realpathSync(tmpdir()));
  const skip = isHeld ? false : "this system cannot reach entries from an open directory";
  for (const swapped of ["a", join("a", "b")]) {
    test(`at ${swapped} shows nothing from outside`, { skip }, () => {
      const b = asDirectory(findIn(asDirectory(findIn(asDirectory(open()), "a")), "b"));
      const name = findIn(b, "name");
      const target = (entry: TreeEntry | null) =>
        entry?.kind === "symlink" ? entry.target : (entry?.kind ?? null);
      assert.deepEqual(
        [
          answersToEachSwap(swapped, () => {
            const listing = b.list();
            assert.ok(!(listing instanceof Promise));
            return [...listing].map(([key, entry]) => [key, target(entry)]).sort();
          }),
          answersToEachSwap(swapped, () => target(findIn(b, "link"))),
          answersToEachSwap(swapped, () => target(findIn(b, "secret"))),
          answersToEachSwap(swapped, () => lookAt(name).sizeBytes),
          answersToEachSwap(swapped, () => readOf(lookAt(name))),
        ],
        [
          [
            GONE,
            [
              ["link", "inside"],
              ["name", "deferred-file"],
            ],
          ],
          ["inside", null],
          [null],
          [GONE, 7],
          [GONE, "inside\n"],
        ],
      );
    });
  }
});

describe("a disk that takes one spelling for another", () => {
  const { lstatSync, readlinkSync } = fs;
  const folded = (name: string) => name.normalize("NFC").toLowerCase();

  /** Returns the path as the disk has it. */
  function asStored(path: string): string {
    const parent = dirname(path);
    if (parent === path) {
      return path;
    }
    const stored = asStored(parent);
    const name = path.slice(parent.length).replace("/", "");
    const names = readdirSync(stored);
    return join(stored, names.find((other) => folded(other) === folded(name)) ?? name);
  }

  const { platform } = process;
  beforeEach(() => {
    const { native } = fs.realpathSync;
    // Linux has no such disk by default, and cannot tell how one spells a name.
    Object.defineProperty(process, "platform", { value: "darwin" });
    mock.method(fs, "lstatSync", (path: string, options: fs.StatSyncOptions) =>
      lstatSync(asStored(path), options),
    );
    mock.method(fs, "readlinkSync", (path: string) => readlinkSync(asStored(path)));
    mock.method(fs.realpathSync, "native", (path: string) => native(asStored(path)));
    syncBuiltinESMExports();
  });
  afterEach(() => {
    Object.defineProperty(process, "platform", { value: platform });
    mock.restoreAll();
    syncBuiltinESMExports();
  });

  test("has no entry by a name that it does not list", () => {
    writeFileSync(join(folder, ".env"), "secret\n");
    writeFileSync(join(folder, "cafe\u0301"), "");
    symlinkSync(".env", join(folder, "link"));
    const root = asDirectory(open([".env", "cafe\u0301", "link"]));
    const names = [".env", ".ENV", "caf\u00e9", "LINK", "A", "a"];
    assert.deepEqual(
      names.map((name) => findIn(root, name)?.kind ?? null),
      [null, null, null, null, null, "deferred-directory"],
    );
  });
});
