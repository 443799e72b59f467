import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { takeSource } from "../../src/client/wire-source.ts";
import { DEFAULT_LIMITS } from "../../src/protocol/mount-report.ts";
import { openHandle } from "../../src/sources/local/handle.ts";
import { DeferredError } from "../../src/sources/tree.ts";
import { connected } from "../support/connected.ts";
import { directoryHandle, fileHandle, type Permission } from "../support/files/handles.ts";
import { noWire } from "../support/files/wire.ts";

const never = new AbortController().signal;

describe("the permission to read a directory", () => {
  const asked = [["query", { mode: "read" }]];
  const askedTwice = [...asked, ["request", { mode: "read" }]];
  const answers = (query: string, request?: string): Permission => ({
    query: async () => query,
    ...(request === undefined ? {} : { request: async () => request }),
  });
  const failing: Permission = {
    query: async () => "prompt",
    request: async () => {
      throw new DOMException("no user activation", "SecurityError");
    },
  };

  const granted: [string, Permission | null, unknown[]][] = [
    ["a browser that never asks", null, []],
    ["one that the visitor gave before", answers("granted"), asked],
    ["one that the visitor gives when asked", answers("prompt", "granted"), askedTwice],
  ];
  for (const [what, permission, questions] of granted) {
    test(`lets the handle travel: ${what}`, async () => {
      const noted: unknown[] = [];
      const directory = directoryHandle("app", [], permission, noted);
      const taken = takeSource({ directory });
      assert(taken.prepare);
      await taken.prepare(never);
      assert.deepEqual(taken.wire(noWire), { kind: "directory", directory });
      assert.deepEqual(noted, questions);
    });
  }

  const refused: [string, Permission, unknown[]][] = [
    ["the visitor said no before", answers("denied"), asked],
    ["the visitor says no", answers("prompt", "denied"), askedTwice],
    ["no visitor can be asked", answers("prompt"), asked],
    ["no click is being handled", failing, askedTwice],
  ];
  for (const [what, permission, questions] of refused) {
    test(`refuses the mount if ${what}, and the client goes on`, async () => {
      const noted: unknown[] = [];
      const directory = directoryHandle("app", [], permission, noted);
      const { client } = await connected();
      const [mount, listed] = await Promise.allSettled([
        client.mount("/repo", { directory }),
        client.mount("/other", { entries: { a: "" } }),
      ]);
      assert(mount.status === "rejected");
      assert.deepEqual(
        [mount.reason.name, mount.reason.message],
        [
          "SourceUnreadable",
          "The browser does not permit reading the directory 'app'; mount it inside a click handler, where the visitor can be asked, and allow it there.",
        ],
      );
      assert.equal(listed.status, "fulfilled");
      assert.deepEqual(noted, questions);
      await client.close();
    });
  }

  test("is asked for at once, and waited for no longer than the mount is", async () => {
    const noted: unknown[] = [];
    const forever: Permission = { query: () => new Promise(() => undefined) };
    const directory = directoryHandle("app", [], forever, noted);
    const { client, account } = await connected();
    const controller = new AbortController();
    const mount = client.mount("/repo", { directory }, { signal: controller.signal });
    assert.deepEqual(noted, asked);
    controller.abort("enough");
    await assert.rejects(mount, (reason) => reason === "enough");
    await client.listTools();
    assert.deepEqual([await client.mounts(), account.mounted.size], [[], 0]);
    await client.close();
  });

  test("is refused by a runtime without directory handles", async () => {
    const { client } = await connected();
    const directory = directoryHandle("app");
    await assert.rejects(client.mount("/repo", { directory }), {
      name: "BadRequest",
      message: /^The request holds what cannot be sent to a worker: /,
    });
    await client.close();
  });
});

describe("a directory of handles", () => {
  const children = ["a.py", "b.py", "c.py", "d"].map((name) => fileHandle(new File([], name)));
  const list = async (maxEntries: number) => {
    const limits = { ...DEFAULT_LIMITS, maxEntries };
    const { root } = openHandle(directoryHandle("app", children), limits, ["*.py"], {
      readBlob: () => {
        throw new Error("nothing is read");
      },
    });
    assert(root.kind === "deferred-directory");
    return [...(await root.list()).keys()];
  };

  test("is listed without the entries that the mount skips", async () => {
    assert.deepEqual(await list(4), ["d"]);
  });

  test("is listed up to its limit, which counts skipped entries too", async () => {
    await assert.rejects(
      list(3),
      new DeferredError("unreadable", "the directory has more than 3 entries (maxEntries)"),
    );
  });
});
