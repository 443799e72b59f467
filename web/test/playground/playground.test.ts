import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { TreeglassError } from "../../src/index.ts";
import { startsLikeArchive } from "../../src/playground/sources/device-trees.ts";
import {
  type ChosenTree,
  checkLink,
  type LinkedTree,
  type LinkKind,
  pinLink,
  readLink,
  writeLink,
} from "../../src/playground/state/linked-tree.ts";
import { explainMountFailure } from "../../src/playground/state/mount-failure.ts";
import { MountedClient } from "../../src/playground/state/mounted-client.ts";
import { connected } from "../support/connected.ts";

describe("a session that mounts another tree", () => {
  let close: () => void = () => undefined;
  afterEach(() => close());

  const { signal } = new AbortController();
  const ignore = () => undefined;
  const good: ChosenTree = { name: "good", open: async () => ({ entries: { a: "" } }) };
  const broken: ChosenTree = {
    name: "broken",
    open: async () => ({ archive: new Uint8Array(0) }),
  };

  async function start() {
    const { client, account } = await connected({
      changes: { result: { version: 0, entries: [], steps: [] } },
    });
    close = () => client.close();
    return { session: new MountedClient(client), account };
  }

  test("keeps the former tree if the new one is refused", async () => {
    const { session, account } = await start();
    await session.mount(good, ignore, signal);
    await assert.rejects(session.mount(broken, ignore, signal), {
      name: "SourceUnreadable",
      message: "The archive is empty: it has 0 bytes.",
    });
    const mounted = await session.client.mounts();
    assert.deepEqual([session.choice, mounted.map(({ files }) => files)], [good, [1]]);
    assert.deepEqual([...account.mounted], ["/treeglass/mounts/1"]);
  });

  test("has no tree if the first one is refused", async () => {
    const { session } = await start();
    await assert.rejects(session.mount(broken, ignore, signal), { name: "SourceUnreadable" });
    assert.deepEqual([session.choice, await session.client.mounts()], [null, []]);
  });
});

describe("why a tree was not mounted", () => {
  const refused = (name: TreeglassError["name"], message: string) =>
    new TreeglassError(name, message);
  const over = (name: string) =>
    refused("LimitExceeded", `The tree has more than 7 (${name}); raise limits.${name}.`);
  const cases: [string, unknown, string][] = [
    ["a failure of no kind", new Error("other"), "other"],
    ["what is no error", "torn", "torn"],
    [
      "a broken archive",
      refused("SourceUnreadable", "It is broken; retry."),
      "It is broken; retry.",
    ],
    [
      "what is not an archive",
      refused(
        "SourceUnreadable",
        "The file is not an archive; choose one, or mount the file itself with files.",
      ),
      "The file is not an archive; choose one.",
    ],
    [
      "what lies at an address",
      refused("SourceUnreadable", "https://a.example/t cannot be mounted: HTTP 404; check it."),
      "HTTP 404; check it.",
    ],
    [
      "a tree of too many entries",
      over("maxEntries"),
      "It holds more than 1,000,000 files and folders, the most that this page mounts. Choose a part of it.",
    ],
    [
      "a tree of too many bytes",
      over("maxTotalBytes"),
      "It is larger than 4.3 GB, the most that this page mounts. Choose a part of it.",
    ],
    [
      "a bomb",
      over("maxCompressionRatio"),
      "It unpacks to more than 1,000 times its size, like an archive that is made to do harm. If you trust it, unpack it and choose the folder.",
    ],
    [
      "a limit that the page does not know",
      over("toString"),
      "The tree has more than 7 (toString); raise limits.toString.",
    ],
  ];
  for (const [what, error, expected] of cases) {
    test(`${what} is explained by '${expected}'`, () => {
      assert.equal(explainMountFailure(error), expected);
    });
  }
});

describe("a dropped file", () => {
  const tarHeader = (checksum: string) => {
    const header = new Uint8Array(512);
    header.set(new TextEncoder().encode("a.txt"));
    header.set(new TextEncoder().encode(checksum), 148);
    return header;
  };
  // The letters of the name, and eight blanks in place of the checksum.
  const sum = [..."a.txt        "].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  const cases: [string, BlobPart, boolean][] = [
    ["a zip", "PK\u0003\u0004rest", true],
    ["an empty zip", "PK\u0005\u0006rest", true],
    ["a text that begins with PK", "PKZIP was a program", false],
    ["a gzip", Uint8Array.of(0x1f, 0x8b, 8), true],
    ["a bzip2", "BZh91AY", true],
    ["an xz", Uint8Array.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0), true],
    ["a tar of the oldest kind", tarHeader(`${sum.toString(8).padStart(6, "0")}\0 `), true],
    ["a block whose sum is another", tarHeader("000001\0 "), false],
    ["a block of zeros", new Uint8Array(512), false],
    ["an empty file", "", false],
  ];
  for (const [what, content, expected] of cases) {
    test(`${what} is ${expected ? "an archive" : "a plain file"}`, async () => {
      assert.equal(await startsLikeArchive(new Blob([content])), expected);
    });
  }
});

describe("a tree on the web, as a visitor names it", () => {
  const sha256 = `sha256-${"A".repeat(43)}=`;
  const npm = (specifier: string): LinkedTree => ({ kind: "npm", specifier, integrity: null });
  const typed: [LinkKind, string, string, LinkedTree | string][] = [
    ["npm", "@scope/name@1.0.0", "ignored", npm("@scope/name@1.0.0")],
    ["npm", "fflate@^0.8", "", npm("fflate@^0.8")],
    ["github", "owner/repo", "", { kind: "github", specifier: "owner/repo", integrity: null }],
    [
      "url",
      "http://127.0.0.1:8000/a.zip",
      sha256,
      { kind: "url", specifier: "http://127.0.0.1:8000/a.zip", integrity: sha256 },
    ],
    [
      "npm",
      "two words",
      "",
      "Write the name of a package, optionally with a version: fflate@0.8.2.",
    ],
    [
      "github",
      "repo",
      "",
      "Write owner/repository, optionally with a branch, tag or commit: owner/repository@v1.",
    ],
    [
      "url",
      "javascript:alert(1)",
      "",
      "Write a full address that begins with https:// or http://.",
    ],
    [
      "url",
      "https://me:secret@example.org/",
      "",
      "Remove the user name and the password: browsers refuse an address that has them.",
    ],
    ["url", "https://example.org/", "md5-x", "Write sha256- followed by the hash in base64."],
  ];
  for (const [kind, specifier, integrity, expected] of typed) {
    test(`${kind} '${specifier}' with the integrity '${integrity}' is understood`, () => {
      assert.deepEqual(checkLink(kind, specifier, integrity), expected);
    });
  }

  test("reads the same from an address that it was written to", () => {
    for (const link of typed.map(([, , , expected]) => expected)) {
      if (typeof link !== "string") {
        assert.deepEqual(readLink(writeLink(link)), link);
      }
    }
    assert.deepEqual(
      readLink(new URLSearchParams("npm=fflate@0.8.2&tool=LS")),
      npm("fflate@0.8.2"),
    );
    assert.equal(readLink(new URLSearchParams("tool=LS&arguments={}")), null);
  });

  test("keeps the version that was mounted", () => {
    assert.deepEqual(pinLink(npm("fflate"), "npm:fflate@0.8.2"), npm("fflate@0.8.2"));
    assert.deepEqual(pinLink(npm("fflate"), null), npm("fflate"));
  });
});
