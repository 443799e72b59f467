import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { type Loopback, startLoopback } from "../support/loopback.ts";
import { draw, reportOf, reportWith } from "../support/mounting.ts";
import { drawFetched, listUrl, publish, publishFiles, sha256 } from "../support/remote.ts";

let server: Loopback;
beforeEach(async () => {
  server = await startLoopback();
});
afterEach(() => server.close());

describe("a manifest", () => {
  test("becomes its tree, and each file is fetched when it is read", async () => {
    const address = publish(server, {
      manifest_version: 1,
      base_url: "tree/",
      entries: [
        { path: "a b#?%ü.md", kind: "file", size_bytes: 5, sha256: sha256("first") },
        { path: "src/b.md", kind: "file", size_bytes: 6, modified_ms: 7 },
        { path: "c.md", kind: "file", size_bytes: 5, url: "../elsewhere.md?v=1" },
        { path: "empty", kind: "directory", modified_ms: 8 },
        { path: "latest", kind: "symlink", target: "src/b.md" },
      ],
    });
    server.put("/docs/tree/a%20b%23%3F%25%C3%BC.md", { body: "first" });
    server.put("/docs/tree/src/b.md", { body: "second" });
    server.put("/elsewhere.md?v=1", { body: "third" });
    const tree = await listUrl(address);
    assert.deepEqual(server.asked, ["/docs/tree.json"]);
    assert.deepEqual(
      reportOf(tree),
      reportWith({ origin: address, files: 3, directories: 2, symlinks: 1, bytes: 16 }),
    );
    assert.deepEqual(await drawFetched(tree.root), {
      "a b#?%ü.md": "first",
      src: { "b.md": "second" },
      "c.md": "third",
      empty: {},
      latest: { symlink: "src/b.md" },
    });
    assert.deepEqual(server.asked.slice(1), [
      "/docs/tree/a%20b%23%3F%25%C3%BC.md",
      "/docs/tree/src/b.md",
      "/elsewhere.md?v=1",
    ]);
    assert.equal(tree.root.children.get("empty")?.kind, "directory");
  });

  test("has its files beside it unless it names another address", async () => {
    const tree = await listUrl(publishFiles(server, { "a.md": "first" }));
    assert.deepEqual(await drawFetched(tree.root), { "a.md": "first" });
  });

  test("reports a missing file, or one that differs from its entry, when it is read", async () => {
    const file = (path: string, rest: object) => ({ path, kind: "file", size_bytes: 5, ...rest });
    server.put("/docs/longer", { body: "123456" });
    server.put("/docs/shorter", { body: "1234" });
    server.put("/docs/other", { body: "12345" });
    server.put("/docs/broken", (response) => {
      response.writeHead(200, { "content-length": "5" });
      response.write("12", () => response.destroy());
    });
    const address = publish(server, {
      manifest_version: 1,
      entries: [
        file("longer", {}),
        file("shorter", {}),
        file("other", { sha256: sha256("54321") }),
        file("missing", {}),
        file("broken", {}),
      ],
    });
    const tree = await listUrl(address);
    assert.deepEqual(await drawFetched(tree.root), {
      longer: "unreadable: the content is larger than declared",
      shorter: "unreadable: the content is smaller than declared",
      other: "unreadable: the content differs from its sha256",
      missing: "unreadable: the server answered HTTP 404",
      broken: "unreadable: the connection broke after 2 bytes",
    });
  });

  test("keeps to the rules of every tree", async () => {
    const file = (path: string, size = 1) => ({ path, kind: "file", size_bytes: size });
    const address = publish(server, {
      manifest_version: 1,
      entries: [
        file("a"),
        file("a"),
        file("../up"),
        file("/top"),
        file("large", 100),
        file("out/b"),
        file("C:\\x"),
        file("\ud800"),
        { path: "climbs", kind: "symlink", target: "../outside" },
      ],
    });
    const tree = await listUrl(address, { skip: ["out"], limits: { maxFileBytes: 9 } });
    assert.deepEqual([...tree.root.children.keys()], ["a", "top", "C:\\x", "\uFFFD"]);
    assert.deepEqual(
      reportOf(tree),
      reportWith({
        origin: address,
        files: 4,
        bytes: 4,
        skipped: [
          { path: "a", reason: "is there already" },
          { path: "../up", reason: "leads out of the tree with '..'" },
          { path: "large", reason: "is 100 bytes large, over maxFileBytes (9)" },
          { path: "out", reason: "left out by the skip option" },
          { path: "climbs", reason: "is a link out of the tree" },
        ],
        renamed: [
          { from: "/top", to: "top", reason: "an absolute path, put below the mount point" },
        ],
        converted: [{ path: "\ud800", reason: "lone surrogates replaced by U+FFFD" }],
      }),
    );
  });

  test("of more entries than may be is refused before its first entry is read", async () => {
    const address = publish(server, { manifest_version: 1, entries: [null, null] });
    await assert.rejects(listUrl(address, { limits: { maxEntries: 1 } }), {
      name: "LimitExceeded",
      message:
        "The tree has more than 1 entries (maxEntries); mount a part of it, leave out what is not needed with skip, or raise limits.maxEntries",
    });
  });

  const entry = { path: "a", kind: "file", size_bytes: 1 };
  const malformed: [unknown, string][] = [
    [{ entries: [] }, "manifest_version is missing, and has to be a whole number from 0 on"],
    [
      { manifest_version: 2, entries: [] },
      "manifest_version is 2, and has to be 1, the version that this treeglass knows; pack the tree with the same version, or update treeglass",
    ],
    [{ manifest_version: 1 }, "entries is missing, and has to be a list"],
    [{ manifest_version: 1, entries: {} }, "entries is an object, and has to be a list"],
    [
      { manifest_version: 1, base_url: "ftp://x/", entries: [] },
      'base_url is "ftp://x/", and has to be an http or https address, or one relative to the manifest\'s',
    ],
    [{ manifest_version: 1, entries: [entry, 7] }, "entries[1] is 7, and has to be an object"],
    [
      { manifest_version: 1, entries: [{ ...entry, path: null }] },
      "entries[0].path is null, and has to be a text",
    ],
    [
      { manifest_version: 1, entries: [{ ...entry, kind: "device" }] },
      'entries[0].kind is "device", and has to be "file", "directory" or "symlink"',
    ],
    [
      { manifest_version: 1, entries: [entry, entry, entry, { ...entry, size_bytes: -1 }] },
      "entries[3].size_bytes is -1, and has to be a whole number from 0 on",
    ],
    [
      { manifest_version: 1, entries: [{ ...entry, sha256: "A".repeat(64) }] },
      `entries[0].sha256 is "${"A".repeat(59)}…, and has to be 64 lowercase hexadecimal digits`,
    ],
    [
      { manifest_version: 1, entries: [{ ...entry, url: "file:///etc/passwd" }] },
      'entries[0].url is "file:///etc/passwd", and has to be an http, https, blob or data address, or one relative to the manifest\'s',
    ],
    [
      { manifest_version: 1, entries: [{ ...entry, modified_ms: "now" }] },
      'entries[0].modified_ms is "now", and has to be a number',
    ],
    [
      { manifest_version: 1, entries: [{ path: "l", kind: "symlink" }] },
      "entries[0].target is missing, and has to be a text",
    ],
  ];
  for (const [manifest, fault] of malformed) {
    test(`is refused by the place: ${fault.split(",", 1)}`, async () => {
      const address = publish(server, manifest);
      await assert.rejects(listUrl(address), {
        name: "SourceUnreadable",
        message: `The manifest at ${address} is malformed: ${fault}.`,
      });
    });
  }

  for (const body of ['{"entries": [', Buffer.from([0x7b, 0xff])]) {
    test(`is refused if it is no JSON: ${body.toString("latin1")}`, async () => {
      server.put("/tree.json", { body });
      await assert.rejects(listUrl(`${server.address}tree.json`), {
        name: "SourceUnreadable",
        message: `The manifest at ${server.address}tree.json is malformed: it is no JSON in UTF-8; check its address.`,
      });
    });
  }

  const monstrous: [string, string, string][] = [
    [
      "whose brackets never close",
      "[".repeat(100_000),
      "its objects and lists lie more than 32 deep",
    ],
    [
      "of millions of empty objects",
      `${"{},".repeat(4_000_000)}0]}`,
      "it has more than 4000000 objects, lists and members",
    ],
    [
      "of millions of members",
      `{${'"":0,'.repeat(4_000_000)}"":0}]}`,
      "it has more than 4000000 objects, lists and members",
    ],
  ];
  for (const [what, rest, fault] of monstrous) {
    test(`is refused before a parser spends gigabytes on it: ${what}`, async () => {
      server.put("/tree.json", { body: `{"entries":[${rest}` });
      const address = `${server.address}tree.json`;
      await assert.rejects(listUrl(address), {
        name: "SourceUnreadable",
        message: `The manifest at ${address} is malformed: ${fault}; check its address, or mount an archive of the tree.`,
      });
    });
  }

  test("may have brackets and quotes in its names", async () => {
    const path = `${"[{".repeat(40)}\\"]`;
    const manifest = { manifest_version: 1, entries: [{ path, kind: "directory" }] };
    assert.deepEqual(draw((await listUrl(publish(server, manifest))).root), { [path]: {} });
  });

  test("that is an address's own data names its files by whole addresses", async () => {
    server.put("/a.md", { body: "first" });
    const list = (url: object) => {
      const manifest = { manifest_version: 1, entries: [{ ...entry, size_bytes: 5, ...url }] };
      return listUrl(`data:application/json,${encodeURIComponent(JSON.stringify(manifest))}`);
    };
    const tree = await list({ url: `${server.address}a.md` });
    assert.deepEqual(await drawFetched(tree.root), { a: "first" });
    await assert.rejects(list({}), {
      name: "SourceUnreadable",
      message:
        "The manifest at data:application/json,… is malformed: entries[0].url is missing, and has to be an http, https, blob or data address, or one relative to the manifest's.",
    });
  });
});
