import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { BlobAccess } from "../../src/sources/random-access.ts";
import type { DirectoryEntry, FileContent, FileEntry } from "../../src/sources/tree.ts";
import { BulkReader, MAX_KEPT_ARCHIVE_BYTES } from "../../src/worker/bulk-reader.ts";
import { ByteCache } from "../../src/worker/byte-cache.ts";
import { CallView } from "../../src/worker/call-view.ts";
import { startPython } from "../support/python/pyodide.ts";

/** Returns files of 10 bytes, each 100 bytes behind the one before, and the reads of their Blob. */
function filesIn(sizeBytes: number, count: number, distance = 100, isLasting = true) {
  const reads: [number, number][] = [];
  const readNow = (start: number, end: number) => {
    reads.push([start, end]);
    return Uint8Array.from({ length: end - start }, (_, at) => Math.floor((start + at) / distance));
  };
  const access = new BlobAccess(sizeBytes, readNow, isLasting);
  const files = Array.from({ length: count }, (_, index): FileEntry => {
    const span = { start: index * distance, end: index * distance + 10 };
    const readRange = (start: number, end: number) =>
      access.read(span.start + start, span.start + end);
    const content: FileContent = { kind: "ranges", readRange, place: { access, span } };
    return { kind: "file", sizeBytes: 10, modifiedMs: 0, content };
  });
  return { files, reads };
}

function wholeOf(file: FileEntry) {
  const { content, sizeBytes } = file;
  assert(content.kind === "ranges");
  return { file, read: () => content.readRange(0, sizeBytes) };
}

describe("many files that lie in one Blob", () => {
  test("are one read if they are close together, in whatever order they are wanted", () => {
    const { files, reads } = filesIn(10_000_000_000, 4);
    const bulk = new BulkReader(new ByteCache());
    const found = bulk.read([...files].reverse().map(wholeOf), 100);
    assert.equal(found.sizes, "10 10 10 10");
    assert.deepEqual(
      [0, 10, 20, 30].map((at) => found.bytes[at]),
      [3, 2, 1, 0],
    );
    assert.deepEqual(reads, [[0, 310]]);
    // Nothing stays that was read ahead.
    wholeOf(files[1] ?? assert.fail()).read();
    assert.deepEqual(reads.slice(1), [[100, 110]]);
  });

  test("lie in one buffer, which a larger read replaces", () => {
    const { files } = filesIn(10_000_000_000, 4);
    const bulk = new BulkReader(new ByteCache());
    const read = (...numbers: number[]) =>
      bulk.read(files.filter((_, number) => numbers.includes(number)).map(wholeOf), 100).bytes;
    const first = read(0, 1);
    const second = read(2);
    const [third, fourth] = [read(0, 1, 2), read(3)];
    const buffers = [first, second, third, fourth].map(({ buffer }) => buffer);
    assert.deepEqual(
      buffers.map((buffer) => buffers.indexOf(buffer)),
      [0, 0, 2, 2],
    );
    // Only what a read gives counts: the buffer may hold more of an earlier one.
    assert.deepEqual([second.byteLength, fourth.byteLength, second[0]], [10, 10, 2]);
  });

  test("are read apart if they are far apart", () => {
    const { files, reads } = filesIn(10_000_000_000, 2, 1_000_000);
    new BulkReader(new ByteCache()).read(files.map(wholeOf), 100);
    assert.deepEqual(reads, [
      [0, 10],
      [1_000_000, 1_000_010],
    ]);
  });

  test("an archive that the cache holds is read once as a whole, if a call wants much of it", () => {
    const { files, reads } = filesIn(100, 5, 20);
    const cache = new ByteCache();
    const bulk = new BulkReader(cache);
    for (const file of files) {
      bulk.expect(file);
    }
    assert.equal(bulk.read(files.map(wholeOf), 25).sizes, "10 10");
    assert.equal(bulk.read(files.slice(2).map(wholeOf), 25).sizes, "10 10");
    assert.deepEqual(reads, [[0, 100]]);
    assert.equal(cache.bytes, 100);
    assert(MAX_KEPT_ARCHIVE_BYTES < 64 * 1024 * 1024);
  });

  test("files that may change are read once in each call", () => {
    const { files, reads } = filesIn(100, 5, 20, false);
    const cache = new ByteCache();
    for (const calls of [1, 2]) {
      const bulk = new BulkReader(cache);
      for (const file of files) {
        bulk.expect(file);
      }
      bulk.read(files.map(wholeOf), 25);
      bulk.read(files.slice(2).map(wholeOf), 25);
      assert.deepEqual(reads, Array(calls).fill([0, 100]));
    }
  });

  test("Blobs that are wanted are read between two runs of a call, and only for that call", async () => {
    const reads: string[] = [];
    const readNow = (start: number, end: number) => {
      reads.push(`${start} to ${end}`);
      return new Uint8Array(end - start);
    };
    const readWhole = async () => {
      reads.push("whole");
      return new Uint8Array(20).fill(7);
    };
    const access = new BlobAccess(20, readNow, false, readWhole);
    const files = [0, 10].map((start): FileEntry => {
      const readRange = (from: number, to: number) => access.read(start + from, start + to);
      const place = { access, span: { start, end: start + 10 } };
      const content: FileContent = { kind: "ranges", readRange, place };
      return { kind: "file", sizeBytes: 10, modifiedMs: 0, content };
    });
    const cache = new ByteCache();
    for (const call of [1, 2]) {
      const view = new CallView();
      const bulk = new BulkReader(cache);
      const run = () => {
        for (const file of files) {
          bulk.expect(file);
        }
        bulk.readExpected(view);
      };
      run();
      assert(view.isMissing);
      await view.wait(new AbortController().signal);
      run();
      assert(!view.isMissing);
      assert.deepEqual([...bulk.read(files.map(wholeOf), 20).bytes], Array(20).fill(7));
      assert.deepEqual(reads, Array(call).fill("whole"));
    }
  });

  test("a Blob of which a call wants little, or that cannot be read ahead, is read in parts", async () => {
    const { files, reads } = filesIn(100, 5, 20, false);
    const fails = async () => {
      throw new Error("the file was changed");
    };
    const [first] = files.map(wholeOf);
    const content = first?.file.content;
    assert(first && content?.kind === "ranges" && content.place);
    const { place } = content;
    for (const sizeBytes of [100, 20]) {
      const view = new CallView();
      const bulk = new BulkReader(new ByteCache());
      const readNow = (start: number, end: number) => place.access.read(start, end);
      const access = new BlobAccess(sizeBytes, readNow, false, fails);
      const file: FileEntry = {
        ...first.file,
        content: { ...content, place: { access, span: place.span } },
      };
      bulk.expect(file);
      bulk.readExpected(view);
      assert.equal(view.isMissing, sizeBytes === 20);
      await view.wait(new AbortController().signal);
      bulk.readExpected(view);
      assert.equal(bulk.read([{ file, read: first.read }], 10).sizes, "10");
    }
    assert(reads.length > 0);
  });

  test("one that cannot be read, is missing, or is too large is left out, and the others come", () => {
    const { files } = filesIn(1000, 3);
    const [first, second, third] = files.map(wholeOf);
    assert(first && second && third);
    const torn = {
      file: second.file,
      read: () => {
        throw new Error("the checksum differs");
      },
    };
    const large = { file: { ...third.file, sizeBytes: 1000 }, read: third.read };
    const found = new BulkReader(new ByteCache()).read([first, torn, null, large, third], 30);
    assert.equal(found.sizes, "10 -1 -1 -1 10");
    assert.deepEqual([...found.bytes], [...Array(10).fill(0), ...Array(10).fill(2)]);
  });
});

const python = await startPython();

describe("a search over files whose content may be broken", () => {
  test("names only those that it needed", async () => {
    const children: DirectoryEntry["children"] = new Map();
    for (const name of ["a", "b", "c"]) {
      const content: FileContent =
        name === "a"
          ? { kind: "bytes", bytes: new TextEncoder().encode("needle") }
          : {
              kind: "whole",
              readWhole: () => {
                throw new Error("the checksum differs");
              },
            };
      const modifiedMs = 9000 - name.charCodeAt(0) * 10;
      children.set(name, { kind: "file", sizeBytes: 6, modifiedMs, content });
    }
    const root = python.mount({ kind: "directory", modifiedMs: 0, children });
    const search = (limit: number) =>
      python.look(
        root,
        `
from treeglass import Config, ToolRegistry, Workspace
from treeglass.workspace.embedder import EmbedderFileSystem

workspace = Workspace({"/repo": root}, file_system=EmbedderFileSystem(trees))
arguments = json.dumps({"pattern": "n|x", "path": "/repo", "limit": ${limit}})
answer = ToolRegistry(workspace, Config()).call_tool("grep_files", arguments).content
`,
      );
    const faults = ["b", "c"].map(
      (name) => `'/project/${name}' cannot be read: the checksum differs`,
    );
    assert.deepEqual(await search(10), { outcome: "/repo/a", faults, runs: 1 });
  });
});
