import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { TreeglassError } from "../src/index.ts";
import { explainMountFailure } from "../src/playground/mount-failure.ts";
import { Session } from "../src/playground/session.ts";
import type { TreeChoice } from "../src/playground/tree-choice.ts";
import { type Answers, connected } from "./support/connected.ts";

describe("a session that mounts another tree", () => {
  let close: () => Promise<void> = async () => undefined;
  afterEach(() => close());

  const { signal } = new AbortController();
  const ignore = () => undefined;
  const good: TreeChoice = { name: "good", open: async () => ({ entries: { a: "" } }) };
  const empty: TreeChoice = { name: "empty", open: async () => ({ entries: {} }) };
  const nothing = { message: "There is nothing in it: no file and no directory." };

  async function start(answers: Answers = {}) {
    const { client } = await connected(answers);
    close = () => client.close();
    return new Session(client);
  }

  test("puts the former tree back where the new one is refused", async () => {
    const session = await start();
    await session.mount(good, ignore, signal);
    await assert.rejects(session.mount(empty, ignore, signal), nothing);
    const mounted = await session.client.mounts();
    assert.deepEqual([session.hasTree, mounted.map(({ files }) => files)], [true, [1]]);
  });

  test("tells why the new tree was refused though the former cannot be put back either", async () => {
    const answers: Answers = {};
    const session = await start(answers);
    await session.mount(good, ignore, signal);
    const gone = { kind: "WorkspaceInvalid", message: "the mount point is gone" };
    const lost: TreeChoice = {
      name: "lost",
      open: async () => {
        answers.mount = { error: gone };
        return { archive: new Uint8Array(3) };
      },
    };
    await assert.rejects(session.mount(lost, ignore, signal), {
      kind: "SourceUnreadable",
      message:
        "The file is not a zip archive; choose a zip archive, or mount the file itself with files.",
    });
    assert.deepEqual([session.hasTree, await session.client.mounts()], [false, []]);
  });
});

describe("why a tree was not mounted", () => {
  const unreadable = new TreeglassError("SourceUnreadable", "words of the client");
  const noArchive =
    "It is no archive that can be opened. Choose a zip or tar archive, or a folder.";
  const cases: [string, unknown, Blob | null, string][] = [
    ["a text file", unreadable, new Blob(["no archive"]), noArchive],
    ["an empty file", unreadable, new Blob([]), noArchive],
    ["a broken zip", unreadable, new Blob(["PK\u0003\u0004"]), "words of the client"],
    ["a gzip", unreadable, new Blob([Uint8Array.of(0x1f, 0x8b)]), "words of the client"],
    ["a folder", unreadable, null, "words of the client"],
    ["a file that fails otherwise", new Error("other"), new Blob(["text"]), "other"],
  ];
  for (const [what, error, archive, expected] of cases) {
    test(`${what} is explained by '${expected}'`, async () => {
      assert.equal(await explainMountFailure(error, archive), expected);
    });
  }
});
