import assert from "node:assert/strict";
import fs, {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import { openHostDirectory } from "../src/hosts/thread/worker/host-directory.ts";
import { DEFAULT_LIMITS } from "../src/sources/limits.ts";
import type { DeferredDirectory, FileEntry, TreeEntry } from "../src/sources/tree.ts";

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

  beforeEach(() => {
    const { native } = fs.realpathSync;
    mock.method(fs, "lstatSync", (path: string, options: fs.StatSyncOptions) =>
      lstatSync(asStored(path), options),
    );
    mock.method(fs, "readlinkSync", (path: string) => readlinkSync(asStored(path)));
    mock.method(fs.realpathSync, "native", (path: string) => native(asStored(path)));
    syncBuiltinESMExports();
  });
  afterEach(() => {
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
