import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type ExportedFile, ReviewSession } from "../../src/element/review/review-session.ts";
import { TreeglassError } from "../../src/index.ts";
import { FakeClient } from "../support/reviewed.ts";

const STALE = "This has changed since it was shown, so nothing was done. Look at it again.";
const PART = { path: "/a", hunks: ["key"], name: "Hunk 1 of 2 in /a" };
const WHOLE = { path: "/a", name: "/a" };

/** Returns a session that has shown the changes of its client, and all that it does from then on. */
async function shownSession() {
  const client = new FakeClient();
  const heard: unknown[] = [];
  const screen = {
    show: async ({ version }: { readonly version: number }, path: string | null) => {
      heard.push(`shows ${version} at ${path}`);
    },
    say: (words: string) => heard.push(words),
    showProblem: (words: string, path: string | null) => heard.push({ problem: words, path }),
  };
  const session = new ReviewSession(client, screen, (decision) => heard.push(decision));
  await session.refresh();
  heard.length = 0;
  return { client, session, heard };
}

describe("a decision", () => {
  test("takes hunks by their keys, and shows only their file anew", async () => {
    const { client, session, heard } = await shownSession();
    await session.decide({ ...PART, decision: "take" });

    assert.deepEqual(client.asked, [["keep", "/a", { hunks: ["key"] }]]);
    assert.deepEqual(heard, [
      "shows 1 at /a",
      { decision: "take", paths: ["/a"], hunks: ["key"], reason: "" },
      "Hunk 1 of 2 in /a: taken.",
    ]);
  });

  test("takes back what was taken, which is no step", async () => {
    const { client, session, heard } = await shownSession();
    await session.decide({ ...PART, decision: "untake" });

    assert.deepEqual(client.asked, [["keep", "/a", { hunks: ["key"], isKept: false }]]);
    assert.deepEqual(heard, [
      "shows 1 at /a",
      { decision: "untake", paths: ["/a"], hunks: ["key"], reason: "" },
      "Hunk 1 of 2 in /a: not taken.",
    ]);
  });

  test("leaves a whole change, and passes its reason on later", async () => {
    const { client, session, heard } = await shownSession();
    const give = await session.decide({ ...WHOLE, decision: "leave" });
    give?.("keep the name");
    await new Promise(setImmediate);

    assert.deepEqual(client.asked, [
      ["reject", "/a", undefined],
      ["reject", "/a", { of: 2, reason: "keep the name" }],
    ]);
    assert.deepEqual(heard, [
      "shows 2 at /a",
      { decision: "leave", paths: ["/a"], hunks: null, reason: "" },
      "",
      { decision: "reason", paths: ["/a"], hunks: null, reason: "keep the name" },
      "/a: the agent gets the reason.",
    ]);
  });

  test("that was refused takes no reason, and a reason that is refused is reported", async () => {
    const { client, session, heard } = await shownSession();
    client.refusal = new TreeglassError("BadRequest", "no change");
    const none = await session.decide({ ...WHOLE, decision: "leave" });
    const give = await session.decide({ ...WHOLE, decision: "leave" });
    client.refusal = new TreeglassError("Closed", "too late");
    give?.("keep the name");
    await new Promise(setImmediate);

    assert.equal(none, null);
    assert.deepEqual(
      [heard.at(0), heard.at(-1)],
      [
        { problem: "no change", path: "/a" },
        { problem: "too late", path: "/a" },
      ],
    );
  });

  test("shows every file anew if the agent has moved something meanwhile", async () => {
    const { client, session, heard } = await shownSession();
    client.move("apply_patch", "/b");
    await session.decide({ ...PART, decision: "take" });

    assert.equal(heard[0], "shows 2 at null");
  });

  test("about a stale hunk shows what is there now, and says so", async () => {
    const refusals = [
      new TreeglassError("BadRequest", "no hunk"),
      Object.assign(new Error("moved"), { name: "StaleHunk" }),
      Object.assign(new Error("moved"), { name: "UnknownChange" }),
    ];
    const told = [];
    for (const refusal of refusals) {
      const { client, session, heard } = await shownSession();
      client.refusal = refusal;
      await session.decide({ ...PART, decision: "take" });
      told.push(heard);
    }

    const stale = ["shows 1 at null", { problem: STALE, path: "/a" }];
    assert.deepEqual(told, [[{ problem: "no hunk", path: "/a" }], stale, stale]);
  });

  test("about a whole change is not made if anything has moved since it was shown", async () => {
    const { client, session, heard } = await shownSession();
    client.move("apply_patch", "/a");
    await session.decide({ ...WHOLE, decision: "take" });

    assert.deepEqual(client.asked, []);
    assert.deepEqual(heard, ["shows 2 at null", { problem: STALE, path: "/a" }]);
  });

  test("is made once, however often it is asked for meanwhile", async () => {
    const { client, session } = await shownSession();
    await Promise.all([
      session.decide({ ...PART, decision: "take" }),
      session.decide({ ...PART, decision: "take" }),
    ]);

    assert.equal(client.asked.length, 1);
  });
});

describe("undo and redo", () => {
  test("name the step that they concern", async () => {
    const { client, session, heard } = await shownSession();
    client.move("apply_patch", "/a");
    await session.refresh();
    heard.length = 0;
    await session.stepBack("undo");

    assert.deepEqual(heard, [
      "shows 3 at null",
      { decision: "undo", paths: ["/a"], hunks: null, reason: "" },
      "Undone: the change of a in /.",
    ]);
  });

  test("say that there is nothing", async () => {
    const { session, heard } = await shownSession();
    await session.stepBack("redo");

    assert.deepEqual(heard, ["shows 1 at null", "There is nothing to redo."]);
  });
});

describe("an export", () => {
  test("is passed on as a file, without what is left out", async () => {
    const { client, session, heard } = await shownSession();
    const files: ExportedFile[] = [];
    await session.export("patch", ["/b"], (file) => files.push(file));
    const [file] = files;

    assert.deepEqual(client.asked, [["export", { format: "patch", leaveOut: ["/b"] }]]);
    assert.deepEqual(
      [file?.format, file?.fileName, await file?.blob.text(), ...heard],
      ["patch", "changes.patch", "diff --git\n", "Exported changes.patch."],
    );
  });

  test("is not made of what was not shown", async () => {
    const { client, session, heard } = await shownSession();
    client.move("apply_patch", "/a");
    await session.export("patch", [], () => assert.fail("passes a file on"));

    assert.deepEqual(heard, ["shows 2 at null", { problem: STALE, path: null }]);
  });
});

test("a session that has left shows nothing more", async () => {
  const { session, heard } = await shownSession();
  session.leave();
  await session.refresh();

  assert.deepEqual(heard, []);
});

test("a client that fails is reported in its own words", async () => {
  const { client, session, heard } = await shownSession();
  client.changes = async () => {
    throw new Error("The client was closed.");
  };
  await session.refresh();

  assert.deepEqual(heard, [{ problem: "The client was closed.", path: null }]);
});
