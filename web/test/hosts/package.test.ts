import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { ProgressEvent } from "../../src/protocol/mount-report.ts";
import type { PackageRegistry } from "../../src/protocol/source-kinds.ts";
import { parseSpecifier } from "../../src/sources/remote/package.ts";
import {
  hostsOf,
  installedFiles,
  putIndex,
  putPackage,
  putResolved,
} from "../support/delivery-network.ts";
import { type Loopback, startLoopback } from "../support/loopback.ts";
import { draw, type ListedTree, reportOf, reportWith } from "../support/mounting.ts";
import { drawFetched, listRemote, type RemoteOptions } from "../support/remote.ts";

const FFLATE = installedFiles("fflate");
const VERSION = "npm/fflate@0.8.3";
const SMALL = new Map([
  ["a b#.md", Buffer.from("first")],
  ["src/b.md", Buffer.from("second")],
]);

let server: Loopback;
beforeEach(async () => {
  server = await startLoopback();
});
afterEach(() => server.close());

function list(
  registry: PackageRegistry,
  specifier: string,
  { prefetch = false, ...options }: RemoteOptions & { readonly prefetch?: boolean } = {},
): Promise<ListedTree> {
  const hosts = hostsOf(server);
  return listRemote({ kind: "package", registry, specifier, hosts, prefetch }, options);
}

/** Returns the files of a package as `draw` shows a tree. */
function drawnFiles(files: ReadonlyMap<string, Buffer>): Record<string, unknown> {
  const drawn: Record<string, unknown> = {};
  for (const [path, bytes] of files) {
    let at = drawn;
    const names = path.split("/");
    const last = names.pop() ?? "";
    for (const name of names) {
      const below = at[name] ?? {};
      at[name] = below;
      // Every name above a file was made here, as an object.
      at = below as Record<string, unknown>;
    }
    at[last] = new TextDecoder().decode(bytes);
  }
  return drawn;
}

const indexOf = (version: string) => `/v1/packages/${version}?structure=flat`;
const resolvedOf = (name: string, specifier: string) =>
  `/v1/packages/${name}/resolved?specifier=${specifier}`;

describe("a package", () => {
  test("of an exact version costs one question, and its files are the installed ones", async () => {
    putPackage(server, VERSION, FFLATE);
    const tree = await list("npm", "fflate@0.8.3");
    assert.deepEqual(server.asked, [indexOf(VERSION)]);
    const directories = new Set(
      [...FFLATE.keys()].filter((path) => path.includes("/")).map((path) => path.split("/")[0]),
    );
    assert.deepEqual(
      reportOf(tree),
      reportWith({
        origin: "npm:fflate@0.8.3",
        files: FFLATE.size,
        directories: directories.size,
        bytes: [...FFLATE.values()].reduce((sum, bytes) => sum + bytes.byteLength, 0),
      }),
    );
    assert.deepEqual(await drawFetched(tree.root), drawnFiles(FFLATE));
    assert.equal(server.asked.length, 1 + FFLATE.size);
  });

  test("can be fetched ahead, without skipped files", async () => {
    putPackage(server, VERSION, FFLATE);
    const events: ProgressEvent[] = [];
    const report = (event: ProgressEvent) => events.push(event);
    const options = { prefetch: true, skip: ["*.cjs", "umd"], report };
    const tree = await list("npm", "fflate@0.8.3", options);
    const kept = new Map(
      [...FFLATE].filter(([path]) => !path.endsWith(".cjs") && !path.startsWith("umd/")),
    );
    assert.deepEqual(draw(tree.root), drawnFiles(kept));
    assert.equal(server.asked.length, 1 + kept.size);
    const { item: _, ...last } = events.at(-1) ?? {};
    assert.deepEqual(last, { phase: "fetch", loaded: tree.bytes, total: tree.bytes });
  });

  const specifiers: [string, string, string][] = [
    ["fflate", "fflate", "latest"],
    ["fflate@next", "fflate", "next"],
    ["fflate@^0.8.0 || 0.7", "fflate", "%5E0.8.0%20%7C%7C%200.7"],
    ["@scope/name@v1.0.0", "@scope/name", "v1.0.0"],
  ];
  for (const [specifier, name, query] of specifiers) {
    test(`named '${specifier}' is resolved first`, async () => {
      putResolved(server, `npm/${name}`, query, "1.0.0-rc.1+5");
      putPackage(server, `npm/${name}@1.0.0-rc.1%2B5`, SMALL);
      const tree = await list("npm", specifier);
      assert.equal(tree.origin, `npm:${name}@1.0.0-rc.1+5`);
      assert.deepEqual(server.asked, [
        resolvedOf(`npm/${name}`, query),
        indexOf(`npm/${name}@1.0.0-rc.1%2B5`),
      ]);
    });
  }

  test("that is unknown is refused", async () => {
    putResolved(server, "npm/fflate", "99", null);
    const message = (shown: string) => ({
      name: "SourceUnreadable",
      message: `${shown} was not found; check the name and the version.`,
    });
    await assert.rejects(list("npm", "fflate@99"), message("npm:fflate@99"));
    await assert.rejects(list("npm", "fflate@9.9.9"), message("npm:fflate@9.9.9"));
    await assert.rejects(list("npm", "unknown"), message("npm:unknown"));
  });

  test("that is too large for the service is refused with advice", async () => {
    server.put(indexOf("npm/huge@1.0.0"), { status: 403, body: "{}" });
    server.put(indexOf("gh/o/huge@main"), { status: 403, body: "{}" });
    await assert.rejects(list("npm", "huge@1.0.0"), {
      name: "SourceUnreadable",
      message:
        "npm:huge@1.0.0 is not served: packages over 150 MB are too large for the service (HTTP 403); download it, and mount the archive.",
    });
    await assert.rejects(list("gh", "o/huge@main"), {
      name: "SourceUnreadable",
      message:
        "github:o/huge@main is not served: packages over 50 MB are too large for the service (HTTP 403); download it, and mount the archive.",
    });
  });

  test("whose list would never end is refused at its start", async () => {
    server.put(indexOf(VERSION), (response: ServerResponse) => {
      response.writeHead(200, { "content-length": "900000000" });
      response.flushHeaders();
    });
    await assert.rejects(list("npm", "fflate@0.8.3"), {
      name: "SourceUnreadable",
      message: `${server.address}v1/packages/npm/fflate@0.8.3 cannot be mounted: the list has more than 67108864 bytes; mount an archive of it.`,
    });
  });
});

describe("a repository", () => {
  test("is listed by the ref that is named, and read through it", async () => {
    putPackage(server, "gh/owner/repo.js@feature%2Fx", SMALL);
    server.put("/gh/owner/repo.js@feature%2Fx/a%20b%23.md", { body: "first" });
    const tree = await list("gh", "owner/repo.js@feature/x");
    assert.equal(tree.origin, "github:owner/repo.js@feature/x");
    assert.deepEqual(server.asked, [indexOf("gh/owner/repo.js@feature%2Fx")]);
    assert.deepEqual(await drawFetched(tree.root), drawnFiles(SMALL));
  });

  test("without a ref is mounted as its latest version", async () => {
    putResolved(server, "gh/owner/repo", "latest", "2.0.0");
    putPackage(server, "gh/owner/repo@2.0.0", SMALL);
    assert.equal((await list("gh", "owner/repo")).origin, "github:owner/repo@2.0.0");
  });

  test("is found by its tags although the service lists them without their v", async () => {
    putResolved(server, "gh/owner/repo", "v2.0.0", "2.0.0");
    putPackage(server, "gh/owner/repo@2.0.0", SMALL);
    assert.equal((await list("gh", "owner/repo@v2.0.0")).origin, "github:owner/repo@2.0.0");
    assert.deepEqual(server.asked, [
      indexOf("gh/owner/repo@v2.0.0"),
      resolvedOf("gh/owner/repo", "v2.0.0"),
      indexOf("gh/owner/repo@2.0.0"),
    ]);
  });

  test("without versions asks for a ref", async () => {
    putResolved(server, "gh/owner/repo", "latest", null);
    await assert.rejects(list("gh", "owner/repo"), {
      name: "SourceUnreadable",
      message:
        "github:owner/repo was not found; it may have no released version, so name a tag, a branch or a commit: 'owner/repo@ref'.",
    });
  });
});

describe("the answer of a service", () => {
  const hash = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
  const file = { name: "/a", hash, size: 0 };
  const answers: [string, unknown, string][] = [
    ["a text", "no", 'all of it is "no", and has to be an object'],
    ["no list", { status: 200 }, "files is missing, and has to be a list"],
    ["no name", { files: [{ ...file, name: 7 }] }, "files[0].name is 7, and has to be a text"],
    [
      "a short hash",
      { files: [file, { ...file, hash: "AAAA" }] },
      'files[1].hash is "AAAA", and has to be a SHA-256 in base64',
    ],
    [
      "half a byte",
      { files: [{ ...file, size: 0.5 }] },
      "files[0].size is 0.5, and has to be a whole number from 0 on",
    ],
  ];
  for (const [what, answer, fault] of answers) {
    test(`is not believed: ${what}`, async () => {
      server.put(indexOf(VERSION), { body: JSON.stringify(answer) });
      await assert.rejects(list("npm", "fflate@0.8.3"), {
        name: "SourceUnreadable",
        message: `The answer of ${server.address}v1/packages/npm/fflate@0.8.3 is malformed: ${fault}.`,
      });
    });
  }

  test("is not believed: a version that is a path", async () => {
    putResolved(server, "npm/fflate", "latest", "../../x");
    await assert.rejects(list("npm", "fflate"), {
      name: "SourceUnreadable",
      message: `The answer of ${server.address}v1/packages/npm/fflate/resolved is malformed: version is "../../x", and has to be a version.`,
    });
  });

  test("names files like any other source: none leads out of the tree", async () => {
    putIndex(server, VERSION, [
      file,
      { ...file, name: "/../up" },
      { ...file, name: "//x" },
      { ...file, name: "/a" },
      { ...file, name: "/" },
    ]);
    const tree = await list("npm", "fflate@0.8.3");
    assert.deepEqual([...tree.root.children.keys()], ["a", "x"]);
    assert.deepEqual(
      reportOf(tree),
      reportWith({
        origin: "npm:fflate@0.8.3",
        files: 2,
        skipped: [
          { path: "../up", reason: "leads out of the tree with '..'" },
          { path: "a", reason: "is there already" },
          { path: "", reason: "has no name" },
        ],
        renamed: [{ from: "/x", to: "x", reason: "an absolute path, put below the mount point" }],
      }),
    );
  });

  test("of more files than may be is refused before the first of them is read", async () => {
    putIndex(server, VERSION, [
      { ...file, hash: "" },
      { ...file, hash: "" },
    ]);
    await assert.rejects(list("npm", "fflate@0.8.3", { limits: { maxEntries: 1 } }), {
      name: "LimitExceeded",
      message:
        "The tree has more than 1 entries (maxEntries); mount a part of it, leave out what is not needed with skip, or raise limits.maxEntries",
    });
  });

  test("is held to the limits of the mount", async () => {
    putPackage(server, VERSION, SMALL);
    await assert.rejects(list("npm", "fflate@0.8.3", { limits: { maxTotalBytes: 9 } }), {
      name: "LimitExceeded",
      message:
        "The tree has more than 9 bytes of files (maxTotalBytes); mount a part of it, leave out what is not needed with skip, or raise limits.maxTotalBytes",
    });
  });
});

describe("a specifier", () => {
  const known: [PackageRegistry, string, string, string | null][] = [
    ["npm", "lodash", "lodash", null],
    ["npm", "lodash@4.17.21", "lodash", "4.17.21"],
    ["npm", "@types/node@>=20 <21", "@types/node", ">=20 <21"],
    ["npm", "JSONStream@1", "JSONStream", "1"],
    ["gh", "owner/repo", "owner/repo", null],
    ["gh", "owner/.github@a@b", "owner/.github", "a@b"],
  ];
  for (const [registry, specifier, name, version] of known) {
    test(`'${specifier}' of ${registry} is understood`, () => {
      assert.deepEqual(parseSpecifier(registry, specifier), { registry, name, version });
    });
  }

  const npm = "an npm package is named 'name@version' or '@scope/name@version'";
  const github = "a GitHub repository is named 'owner/repo@ref'";
  const unknown: [PackageRegistry, string, string][] = [
    ["npm", "", npm],
    ["npm", "@1.0.0", npm],
    ["npm", "lodash@", npm],
    ["npm", "a/b", npm],
    ["npm", "../x@1.0.0", npm],
    ["npm", "@scope/../x", npm],
    ["npm", "a?b@1", npm],
    ["npm", "a@1\n", npm],
    ["gh", "repo@main", github],
    ["gh", "owner/..@main", github],
    ["gh", "owner/.", github],
    ["gh", "a/b/c", github],
    ["gh", "https://github.com/owner/repo", github],
  ];
  for (const [registry, specifier, expected] of unknown) {
    test(`${JSON.stringify(specifier)} of ${registry} is refused with how one is written`, () => {
      assert.throws(() => parseSpecifier(registry, specifier), {
        name: "BadRequest",
        message: `${JSON.stringify(specifier)} is not a package; ${expected}.`,
      });
    });
  }
});
