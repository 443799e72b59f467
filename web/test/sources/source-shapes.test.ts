import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import type { TreeSource } from "../../src/client/sources.ts";
import { takeSource, toPlainSource } from "../../src/client/wire-source.ts";
import type { SourceKind } from "../../src/protocol/source-kinds.ts";
import { directoryHandle } from "../support/files/handles.ts";
import { openWire } from "../support/files/wire.ts";

/** For each kind: rows of the table in `docs/sources.md`, each with a source of that row. */
const ROWS: { readonly [K in SourceKind]: readonly (readonly [string, TreeSource])[] } = {
  entries: [["{ entries }", { entries: {} }]],
  archive: [["{ archive }", { archive: new Uint8Array(3) }]],
  files: [["{ files }", { files: [new File([], "a.txt")] }]],
  directory: [["{ directory }", { directory: directoryHandle("app", []) }]],
  "host-directory": [['{ directory: "path" }', { directory: "/srv/app" }]],
  url: [["{ url, integrity? }", { url: "data:,x" }]],
  package: [
    ["{ npm }", { npm: "a@1" }],
    ["{ github }", { github: "a/b@main" }],
  ],
};

describe("every kind of source", () => {
  const page = readFileSync(new URL("../../../docs/sources.md", import.meta.url), "utf8");
  const [table = ""] = /^\| Source \|.*?\n\n/ms.exec(page) ?? [];
  const documented = [...table.matchAll(/^\| `([^`]*)` \|/gm)].map(([, row]) => row);

  for (const [kind, rows] of Object.entries(ROWS)) {
    for (const [row, source] of rows) {
      test(`is taken by takeSource of client/wire-source.ts: ${row} is of kind ${kind}`, async () => {
        const taken = takeSource(source, { toHostPath: String });
        await taken.prepare?.(new AbortController().signal);
        const sent = taken.wire(openWire().wire);
        taken.release();
        assert.equal(sent.kind, kind);
      });
    }
  }

  test("has its rows in the table of docs/sources.md, which has no other", () => {
    const expected = Object.values(ROWS).flatMap((rows) => rows.map(([row]) => row));
    assert.deepEqual(documented.sort(), expected.sort());
  });
});

describe("the shape of a source", () => {
  const shapes: unknown[] = [
    null,
    "path",
    {},
    { entries: ["a"] },
    { entries: new Map() },
    { archive: ["zip"] },
    { files: ["a.txt"] },
    { url: 7 },
    { npm: ["fflate"] },
    { github: null },
    { directory: {} },
  ];
  for (const shape of shapes) {
    test(`${JSON.stringify(shape)} is refused with the shapes that exist`, () => {
      assert.throws(() => toPlainSource(shape), {
        name: "SourceUnknown",
        message:
          "The tree source has no known shape; pass { entries: { path: content } }, { archive: Blob | ArrayBuffer | Uint8Array }, { files: FileList | File[] | DataTransfer }, { directory: FileSystemDirectoryHandle }, { url: string | URL }, { npm: 'name@version' } or { github: 'owner/repo@ref' }.",
      });
    });
  }

  const several: readonly (readonly [object, string])[] = [
    [{ entries: {}, archive: new Uint8Array(3) }, "entries and archive"],
    [{ directory: "/srv/app", files: [] }, "files and directory"],
    [{ github: "a/b@main", npm: "a@1", url: "data:,x" }, "url and npm and github"],
  ];
  for (const [source, names] of several) {
    test(`a source that has ${names} is refused by these names`, () => {
      assert.throws(() => takeSource(source, { toHostPath: String }), {
        name: "SourceUnknown",
        message: `The tree source has ${names}; pass one.`,
      });
    });
  }

  test("a source that is not there beside another one does not count", () => {
    const taken = takeSource({ entries: { a: "b" }, archive: undefined, url: null });
    assert.deepEqual(taken.wire(openWire().wire), { kind: "entries", entries: { a: "b" } });
  });

  test("two sources do not compile as one", () => {
    // @ts-expect-error a tree has one source
    const source: TreeSource = { entries: {}, archive: new Uint8Array(3) };
    assert.throws(() => takeSource(source), { name: "SourceUnknown" });
  });

  test("each known shape is taken as it is", () => {
    const entries = { a: "b" };
    const archive = new Blob(["zip"]);
    const bytes = new Uint8Array(3);
    assert.deepEqual(toPlainSource({ entries }), { kind: "entries", entries });
    assert.deepEqual(toPlainSource({ archive }), { kind: "archive", archive });
    assert.deepEqual(toPlainSource({ archive: bytes }), { kind: "archive", archive: bytes });
  });
});

describe("a source that lies elsewhere", () => {
  const JSDELIVR = {
    index: "https://data.jsdelivr.com/v1/packages/",
    files: "https://cdn.jsdelivr.net/",
  };

  /** Runs an action as a page at an address does. */
  function onPageAt<Value>(href: string, run: () => Value): Value {
    Object.defineProperty(globalThis, "location", { value: { href }, configurable: true });
    try {
      return run();
    } finally {
      Reflect.deleteProperty(globalThis, "location");
    }
  }

  test("travels with the address that the page means", () => {
    const url = { kind: "url", integrity: null, prefetch: false };
    onPageAt("https://example.test/docs/page.html", () => {
      assert.deepEqual(toPlainSource({ url: "../tree.zip?v=1#top" }), {
        ...url,
        url: "https://example.test/tree.zip?v=1",
      });
      assert.deepEqual(
        toPlainSource({
          url: new URL("http://other.test/a"),
          integrity: "sha256-AAAA",
          prefetch: true,
        }),
        { kind: "url", url: "http://other.test/a", integrity: "sha256-AAAA", prefetch: true },
      );
      assert.deepEqual(toPlainSource({ url: "data:,x" }), { ...url, url: "data:,x" });
    });
  });

  test("travels with the hosts that a package is asked from", () => {
    const travelling = { kind: "package", hosts: JSDELIVR, prefetch: false };
    assert.deepEqual(toPlainSource({ npm: "@a/b@1" }), {
      ...travelling,
      registry: "npm",
      specifier: "@a/b@1",
    });
    const github = { ...travelling, registry: "gh", specifier: "a/b@main" };
    assert.deepEqual(toPlainSource({ github: "a/b@main" }), github);
    onPageAt("https://example.test/docs/page.html", () => {
      const hosts = { index: "mirror?x", files: new URL("http://files.test/") };
      assert.deepEqual(toPlainSource({ github: "a/b@main", hosts, prefetch: true }), {
        ...github,
        hosts: { index: "https://example.test/docs/mirror/", files: "http://files.test/" },
        prefetch: true,
      });
    });
  });

  test("is refused in shorter words in a page with an address of its own", () => {
    onPageAt("https://example.test/docs/page.html", () => {
      assert.throws(() => toPlainSource({ url: "https://a b/" }), {
        name: "BadRequest",
        message: "The url of the source is not an address: https://a b/",
      });
    });
  });

  const refused: [object, string][] = [
    [
      { url: "tree.zip" },
      "The url of the source is not an address: tree.zip. Pass a whole address, such as https://example.com/tree.zip, or { directory } or { archive } for what lies on this machine.",
    ],
    [
      { url: "file:///etc/passwd" },
      "The url of the source has the protocol file; those that can be fetched are http, https, blob, data.",
    ],
    [
      { url: "https://me:secret@example.test/" },
      "The url of the source has a user name or a password in it, which no browser sends; leave them out.",
    ],
    [
      { url: "https://example.test/", integrity: 7 },
      "The integrity of a source is a text such as 'sha384-' and the hash in base64.",
    ],
    [
      { url: "https://example.test/", prefetch: "yes" },
      "The prefetch option of a source is true or false.",
    ],
    [{ npm: "a", hosts: "jsdelivr" }, "The hosts of a package are { index?, files? }."],
    [
      { npm: "a", hosts: { files: "data:,x" } },
      "The files host has the protocol data; those that can be fetched are http, https.",
    ],
    [
      { github: "a/b", hosts: { index: 7 } },
      "The index host is not an address: 7. Pass a whole address, such as https://mirror.example.com/.",
    ],
  ];
  for (const [source, message] of refused) {
    test(`is refused on the page: ${JSON.stringify(source)}`, () => {
      const refusal = { name: "BadRequest", message };
      assert.throws(() => toPlainSource(source), refusal);
    });
  }
});
