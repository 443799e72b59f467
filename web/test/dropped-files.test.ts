import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { toWireSource } from "../src/client/wire-source.ts";

/** A directory of empty files that gives all of them at once, as a browser's own does in parts. */
function directoryOf(fileCount: number): object {
  const batches = [
    Array.from({ length: fileCount }, (_, index) => ({
      isFile: true,
      isDirectory: false,
      fullPath: `/big/f${index}`,
      file: (resolve: (file: File) => void) => resolve(new File([], `f${index}`)),
    })),
    [],
  ];
  return {
    isFile: false,
    isDirectory: true,
    name: "big",
    fullPath: "/big",
    createReader: () => ({
      readEntries: (resolve: (batch: unknown) => void) => resolve(batches.shift()),
    }),
  };
}

function dropOf(entry: object | null, files: readonly File[] = []): unknown {
  return {
    [Symbol.toStringTag]: "DataTransfer",
    items: [{ webkitGetAsEntry: () => entry }],
    files,
  };
}

describe("what was dropped", () => {
  test("a directory may hold more files than a call has arguments", async () => {
    const source = await toWireSource({ files: dropOf(directoryOf(200_000)) });
    assert.deepEqual(
      [source.kind, source.kind === "files" && [source.folder, source.files.length]],
      ["files", ["big", 200_001]],
    );
  });

  test("files that a script made, which have no entries, are taken by their names", async () => {
    const file = new File(["text"], "a.txt", { lastModified: 7 });
    assert.deepEqual(await toWireSource({ files: dropOf(null, [file]) }), {
      kind: "files",
      folder: null,
      files: [{ path: "a.txt", file, modifiedMs: 7 }],
    });
  });

  test("a drop that was read too late is refused and not mounted as an empty tree", async () => {
    await assert.rejects(toWireSource({ files: dropOf(null) }), {
      name: "TreeglassError",
      kind: "SourceUnreadable",
      message:
        "The drop holds no files; drop files or folders, and pass the DataTransfer to mount in the drop event itself, before any await.",
    });
  });
});
