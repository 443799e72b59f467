import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import type { TreeglassClient } from "../../src/client/client.ts";
import {
  bytesOf,
  changingAnswers,
  closeChanging,
  connectChanging,
  methodsOf,
  stateOf,
} from "../support/changing.ts";
import { RESULT } from "../support/connected.ts";

const PATH = "/repo/a.txt";
const STEP = { number: 1, by: "tool", name: "Edit", group: "turn 2", of: null, paths: [PATH] };
const CHANGES = { version: 1, entries: [], steps: [STEP] };
const DIFF = {
  path: PATH,
  operation: "modify",
  from: null,
  added: 1,
  removed: 1,
  kind: "file",
  beforeBytes: 4,
  afterBytes: 4,
  baseState: "unchanged",
  flags: { mode: "644 to 755" },
  isCoarse: false,
  decision: "pending",
  hunks: [],
};
const BYTES = new Uint8Array([0, 255, 116]);
const BASE64 = "AP90";

type Ask = (client: TreeglassClient) => Promise<unknown>;

/** What is called, the request and its answer at the bridge, and what the page gets. */
const METHODS: readonly (readonly [string, Ask, string, object, object, unknown])[] = [
  ["changes", (client) => client.changes(), "changes", {}, CHANGES, CHANGES],
  [
    "changes since a step",
    (client) => client.changes({ since: 4 }),
    "changes",
    { since: 4 },
    CHANGES,
    CHANGES,
  ],
  ["diff", (client) => client.diff(PATH), "diffChange", { path: PATH }, DIFF, DIFF],
  [
    "diff between two points in time",
    (client) => client.diff(PATH, { from: "base", to: 3 }),
    "diffChange",
    { path: PATH, from: "base", to: 3 },
    DIFF,
    DIFF,
  ],
  [
    "reject",
    (client) => client.reject(PATH, { hunks: ["a", "b"], reason: "keep the name" }),
    "rejectChange",
    { path: PATH, hunks: ["a", "b"], reason: "keep the name" },
    { version: 2 },
    { version: 2 },
  ],
  [
    "keep",
    (client) => client.keep(PATH, { hunks: ["a"] }),
    "keepChange",
    { path: PATH, hunks: ["a"] },
    { version: 2 },
    { version: 2 },
  ],
  [
    "undo",
    (client) => client.undo(),
    "undoChange",
    {},
    { version: 2, step: STEP },
    { version: 2, step: STEP },
  ],
  [
    "redo",
    (client) => client.redo(),
    "redoChange",
    {},
    { version: 0, step: null },
    { version: 0, step: null },
  ],
  ["takeNotes", (client) => client.takeNotes(), "takeNotes", {}, { notes: ["one"] }, ["one"]],
  [
    "exportChanges as a patch",
    (client) => client.exportChanges({ format: "patch", leaveOut: [PATH] }),
    "exportChanges",
    { format: "patch", leaveOut: [PATH] },
    { base64: btoa("diff --git") },
    "diff --git",
  ],
  [
    "exportChanges as an archive",
    (client) => client.exportChanges({ format: "archive" }),
    "exportChanges",
    { format: "archive" },
    { base64: BASE64 },
    BYTES,
  ],
  [
    "exportChanges as a manifest",
    (client) => client.exportChanges({ format: "manifest" }),
    "exportChanges",
    { format: "manifest" },
    { manifest: { entries: [] } },
    { entries: [] },
  ],
  ["saveState", (client) => client.saveState(), "saveState", {}, { state: BASE64 }, BYTES],
  [
    "restoreState",
    (client) => client.restoreState(BYTES),
    "restoreState",
    { state: BASE64 },
    { version: 7 },
    undefined,
  ],
  [
    "discardChanges",
    (client) => client.discardChanges(),
    "discardChanges",
    {},
    { version: 3 },
    { version: 3 },
  ],
];

describe("a person's methods", () => {
  afterEach(closeChanging);

  for (const [what, ask, method, params, result, outcome] of METHODS) {
    test(`${what}: the bridge is asked once, and its answer comes back`, async () => {
      const { client, asked } = await connectChanging({
        [method]: { result },
        saveState: saved(BASE64),
      });
      if (method === "saveState") {
        assert.deepEqual(await ask(client), outcome);
      } else {
        assert.deepEqual([await ask(client), asked[1]], [outcome, { method, params }]);
      }
      assert.equal(asked.filter((request) => Object(request).method === method).length, 1);
    });
  }

  for (const name of [
    "UnknownChange",
    "UnknownHunk",
    "StaleHunk",
    "LimitExceeded",
    "ExportRefused",
  ]) {
    test(`a decision that the bridge refuses rejects with ${name}, and moves nothing`, async () => {
      const error = { name, message: `${PATH} is refused.` };
      const { client, asked, versions } = await connectChanging({ rejectChange: { error } });
      await assert.rejects(client.reject(PATH), { ...error });
      assert.deepEqual([methodsOf(asked), versions], [["configure", "rejectChange"], []]);
    });
  }

  test("the turn of a call is sent with it", async () => {
    const { client, asked } = await connectChanging();
    await client.callTool("change", {}, { group: "turn 2" });
    assert.deepEqual(asked[1], {
      method: "callTool",
      params: { name: "change", arguments: "{}", group: "turn 2" },
    });
  });

  test("parameters are sent as they were, despite later changes by the page", async () => {
    const { client, asked } = await connectChanging();
    const hunks = ["a"];
    const rejected = client.reject(PATH, { hunks });
    hunks.push("b");
    await rejected;
    assert.deepEqual(asked[1], { method: "rejectChange", params: { path: PATH, hunks: ["a"] } });
  });

  test("what is no bytes is refused before anything is sent", async () => {
    const { client, asked } = await connectChanging();
    const text: object = Object("text");
    await assert.rejects(client.restoreState(text as Uint8Array), {
      name: "BadRequest",
      message: "The option state is the bytes of saveState.",
    });
    assert.deepEqual(methodsOf(asked), ["configure"]);
  });

  test("decisions and calls run in their order, and each record is saved before the next", async () => {
    const { client, asked, versions } = await connectChanging();
    const results = await Promise.all([
      client.callTool("change", {}),
      client.reject(PATH),
      client.callTool("look", {}),
      client.undo(),
    ]);
    assert.deepEqual(results, [
      { ...RESULT, version: 1 },
      { version: 2 },
      { ...RESULT, version: 2 },
      { version: 3 },
    ]);
    assert.deepEqual(methodsOf(asked), [
      "configure",
      "callTool change",
      "saveState",
      "rejectChange",
      "saveState",
      "callTool look",
      "undoChange",
      "saveState",
    ]);
    assert.deepEqual(versions, [1, 2, 3]);
  });

  test("the page hears of a version before the caller gets the answer", async () => {
    const { client, versions } = await connectChanging();
    const heard = await client.callTool("change", {}).then(() => [...versions]);
    assert.deepEqual(heard, [1]);
  });

  test("the page hears of the changes of a call that it has aborted", async () => {
    const controller = new AbortController();
    const { client, versions } = await connectChanging({
      saveState: saved(stateOf(1)),
      callTool: () => {
        controller.abort("enough");
        return { result: { ...RESULT, version: 1 } };
      },
    });
    const call = client.callTool("change", {}, { signal: controller.signal });
    await assert.rejects(call, (reason) => reason === "enough");
    await client.listTools();
    assert.deepEqual(versions, [1]);
  });

  test("a client that changes nothing asks for nothing more", async () => {
    const { client, asked, versions, workers } = await connectChanging();
    await client.callTool("look", {});
    workers[0]?.crash();
    await client.callTool("look", {});
    const once = ["configure", "callTool look"];
    assert.deepEqual([methodsOf(asked), versions], [[...once, ...once], []]);
  });

  test("a listener that throws does not keep the caller from its answer", async (context) => {
    const faults: unknown[] = [];
    context.mock.method(console, "error", (fault: unknown) => faults.push(fault));
    const fault = new Error("the page's own");
    const onChanges = () => {
      throw fault;
    };
    const { client } = await connectChanging(changingAnswers(), { changes: { onChanges } });
    assert.deepEqual(await client.reject(PATH), { version: 1 });
    assert.deepEqual(faults, [fault]);
  });
});

function saved(state: string): unknown {
  return { result: { state } };
}

test("the state of the tests is text at the bridge, and bytes for a page", () => {
  assert.equal(stateOf(5), Buffer.from(bytesOf(5)).toString("base64"));
});
