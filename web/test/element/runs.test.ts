import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Problem } from "../../src/element/attributes.ts";
import type { DemoCall, MountRequest } from "../../src/element/runs/demo-call.ts";
import { DemoRuns } from "../../src/element/runs/demo-runs.ts";
import { type OpenMount, SharedMounts } from "../../src/element/runs/shared-mounts.ts";
import { type TreeglassClient, TreeglassError, type TreeSource } from "../../src/index.ts";
import { orAborted } from "../../src/lib/promises.ts";
import { type Answers, connected, RESULT } from "../support/connected.ts";

const GOOD = { entries: { "a.txt": "1\n" } };

function requestOf(source: TreeSource, key = JSON.stringify(source)): MountRequest {
  return { key, source, mountPath: "/repo", config: {}, assets: null };
}

/** Returns a gate: while it is shut, every opening waits. */
function makeGate() {
  const gate = {
    passed: Promise.resolve(),
    open: () => {},
    shut: () => {
      gate.passed = new Promise<void>((resolve) => {
        gate.open = resolve;
      });
    },
  };
  return gate;
}

/** Returns shared mounts of real clients, with each opened mount and whether it is closed. */
function openMounts(answers: Answers = {}) {
  const opened: { readonly key: string; isClosed: boolean }[] = [];
  const clients: TreeglassClient[] = [];
  const gate = makeGate();
  const open: OpenMount = async ({ key, source, mountPath }, { signal, onProgress }) => {
    const entry = { key, isClosed: false };
    opened.push(entry);
    const { client } = await connected(answers);
    try {
      await orAborted(gate.passed, signal);
      await client.mount(mountPath, source, { signal, onProgress });
    } catch (error) {
      entry.isClosed = true;
      await client.close();
      throw error;
    }
    const close = client.close.bind(client);
    client.close = async () => {
      entry.isClosed = true;
      await close();
    };
    clients.push(client);
    return client;
  };
  return { mounts: new SharedMounts(open), opened, clients, gate };
}

/** Returns the runs of a demo without a page, and everything that they report. */
function demoFor(mounts: SharedMounts, call: DemoCall | Problem = CALL) {
  const heard: unknown[] = [];
  const page = { request: requestOf(GOOD) as MountRequest | Problem, call };
  const runs = new DemoRuns(mounts, {
    readMountRequest: () => page.request,
    readCall: () => page.call,
    onState: (state) => heard.push(state),
    onProgress: () => undefined,
    onOpen: ({ mountPath }) => heard.push(`open ${mountPath}`),
    onAnswer: ({ tool }, { content }) => heard.push({ tool, content }),
    onFailure: (failure) => heard.push(failure),
  });
  return { runs, heard, page };
}

/** Runs the microtasks of `count` turns, and nothing else. */
async function turnsOf(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await null;
  }
}

const CALL: DemoCall = {
  tool: "list_dir",
  arguments: { dir_path: "/repo" },
  maxOutputBytes: undefined,
};
const ANSWER = { tool: "list_dir", content: RESULT.content };
const ABORTED = { name: "AbortError" };

describe("shares in a mount", () => {
  test("have one client for the same tree, which closes when the last share is released", async () => {
    const { mounts, opened } = openMounts();
    const join = (key: string) => mounts.join(requestOf(GOOD, key), () => undefined);
    const [first, second, other] = [join("a"), join("a"), join("b")];
    assert.equal(await first.client, await second.client);
    assert.notEqual(await first.client, await other.client);
    first.release();
    first.release();
    assert.deepEqual(opened, [
      { key: "a", isClosed: false },
      { key: "b", isClosed: false },
    ]);
    assert.deepEqual([first.isEnded, second.isEnded], [true, false]);
    second.release();
    await other.client;
    const again = join("a");
    await again.client;
    assert.deepEqual(opened, [
      { key: "a", isClosed: true },
      { key: "b", isClosed: false },
      { key: "a", isClosed: false },
    ]);
    other.release();
    again.release();
  });

  test("end when the tree cannot be mounted, and a new share can be taken", async () => {
    const { mounts, opened } = openMounts();
    const join = () =>
      mounts.join(requestOf({ archive: new Uint8Array(0) }, "broken"), () => undefined);
    const share = join();
    const refused = { name: "SourceUnreadable", message: "The archive is empty: it has 0 bytes." };
    await assert.rejects(share.client, refused);
    assert.equal(share.isEnded, true);
    share.release();
    await assert.rejects(join().client, refused);
    assert.deepEqual(opened, [
      { key: "broken", isClosed: true },
      { key: "broken", isClosed: true },
    ]);
  });

  test("abandon the opening when all of them are released", async () => {
    const { mounts, gate } = openMounts();
    gate.shut();
    const [first, second] = [1, 2].map(() => mounts.join(requestOf(GOOD), () => undefined));
    assert.ok(first && second);
    const outcome = assert.rejects(first.client, ABORTED);
    first.release();
    assert.equal(second.isEnded, false);
    second.release();
    await outcome;
  });

  test("never join a mount that was marked as lost; its client closes with the last share", async () => {
    const { mounts, opened } = openMounts();
    const lost = mounts.join(requestOf(GOOD, "a"), () => undefined);
    await lost.client;
    lost.markLost();
    const next = mounts.join(requestOf(GOOD, "a"), () => undefined);
    assert.notEqual(await lost.client, await next.client);
    assert.deepEqual([lost.isEnded, next.isEnded], [true, false]);
    lost.release();
    await lost.client;
    assert.deepEqual(opened, [
      { key: "a", isClosed: true },
      { key: "a", isClosed: false },
    ]);
    next.release();
  });
});

describe("the runs of a demo", () => {
  test("report each state once, and start only the first time", async () => {
    const { mounts, opened } = openMounts();
    const { runs, heard } = demoFor(mounts);
    assert.deepEqual(await runs.run(), RESULT);
    await runs.run();
    assert.deepEqual(heard, [
      ...["starting", "open /repo", "running", "answered", ANSWER],
      ...["open /repo", "answered", ANSWER].flatMap((event) =>
        event === "open /repo" ? ["running", event] : [event],
      ),
    ]);
    assert.deepEqual([runs.state, runs.result, opened.length], ["answered", RESULT, 1]);
    runs.leave();
  });

  test("share one start when ten demos begin at once", async () => {
    const { mounts, opened } = openMounts();
    const demos = Array.from({ length: 10 }, () => demoFor(mounts));
    await Promise.all(demos.map(({ runs }) => runs.run()));
    assert.deepEqual(
      [opened.length, ...new Set(demos.map(({ runs }) => runs.state))],
      [1, "answered"],
    );
    for (const { runs } of demos) {
      runs.leave();
    }
    assert.deepEqual(opened, [{ key: JSON.stringify(GOOD), isClosed: false }]);
    await new Promise(setImmediate);
    assert.deepEqual(opened, [{ key: JSON.stringify(GOOD), isClosed: true }]);
  });

  test("are stopped by a later run, which joins the same start", async () => {
    const { mounts, opened, gate } = openMounts();
    gate.shut();
    const { runs, heard } = demoFor(mounts);
    const first = runs.run();
    const second = runs.run();
    await assert.rejects(first, ABORTED);
    gate.open();
    assert.deepEqual([await second, opened.length], [RESULT, 1]);
    assert.deepEqual(heard, ["starting", "open /repo", "running", "answered", ANSWER]);
    runs.leave();
  });

  test("return to the state before when they are stopped, even while the tools start", async () => {
    const { mounts, opened, gate } = openMounts();
    gate.shut();
    const { runs, heard } = demoFor(mounts);
    const stopped = runs.run();
    runs.stop();
    await assert.rejects(stopped, ABORTED);
    assert.deepEqual(heard.splice(0), ["starting", "static"]);
    gate.open();
    await runs.run();
    heard.length = 0;
    const again = runs.run();
    runs.stop();
    await assert.rejects(again, ABORTED);
    assert.deepEqual([heard, runs.result, opened.length], [["running", "answered"], RESULT, 2]);
    runs.leave();
  });

  test("fail with a sentence, and can run again", async () => {
    const { mounts } = openMounts();
    const { runs, heard, page } = demoFor(mounts);
    page.request = requestOf({ archive: new Uint8Array(0) }, "broken");
    const failure = { name: "SourceUnreadable", message: "The archive is empty: it has 0 bytes." };
    await assert.rejects(runs.run(), failure);
    assert.deepEqual(heard.splice(0), ["starting", "failed", failure]);
    page.request = requestOf(GOOD);
    assert.deepEqual([await runs.run(), runs.state], [RESULT, "answered"]);
    runs.leave();
  });

  test("refuse a missing tool or tree with the client's own error, and start nothing", async () => {
    const { mounts, opened } = openMounts();
    const { runs, heard, page } = demoFor(mounts, new Problem("No tool."));
    await assert.rejects(runs.run(), (error) => error instanceof TreeglassError);
    page.call = CALL;
    page.request = new Problem("No tree.");
    await assert.rejects(runs.run(), { name: "BadRequest" });
    assert.deepEqual(heard, [
      ...["starting", "failed", { name: "BadRequest", message: "No tool." }],
      ...["starting", "failed", { name: "BadRequest", message: "No tree." }],
    ]);
    assert.deepEqual(opened, []);
  });

  test("refuse a tool that the configuration does not offer, which no reader can choose", async () => {
    const content = "Unknown tool: lst";
    const error = { kind: "UnknownTool", message: content };
    const { mounts } = openMounts({
      callTool: { result: { ...RESULT, content, isError: true, error } },
    });
    const { runs, heard } = demoFor(mounts);
    const failure = {
      name: "BadRequest",
      message:
        "Unknown tool: lst. Give the attribute tool the name of a tool that the demo's configuration offers, such as list_dir.",
    };
    await assert.rejects(runs.run(), failure);
    assert.deepEqual(heard, ["starting", "open /repo", "running", "failed", failure]);
    assert.equal(runs.result, null);
    runs.leave();
  });

  test("mount a tree that has changed, and release the one before", async () => {
    const { mounts, opened } = openMounts();
    const { runs, page } = demoFor(mounts);
    await runs.run();
    page.request = requestOf({ entries: { b: "" } }, "other");
    await runs.run();
    assert.deepEqual(opened, [
      { key: JSON.stringify(GOOD), isClosed: true },
      { key: "other", isClosed: false },
    ]);
    runs.leave();
  });

  test("get a new client after theirs was lost", async () => {
    const { mounts, opened, clients } = openMounts();
    const { runs } = demoFor(mounts);
    await runs.run();
    await clients[0]?.close();
    await assert.rejects(runs.run(), { name: "Closed" });
    assert.deepEqual([await runs.run(), opened.length], [RESULT, 2]);
    runs.leave();
  });

  test("lose their answer by a reset, and keep the tree mounted", async () => {
    const { mounts, opened } = openMounts();
    const { runs, heard } = demoFor(mounts);
    await runs.run();
    runs.reset();
    assert.deepEqual([runs.state, runs.result, heard.at(-1)], ["static", null, "static"]);
    await runs.run();
    assert.equal(opened.length, 1);
    runs.leave();
  });

  test("are not needed to mount the tree", async () => {
    const { mounts, opened, clients } = openMounts();
    const { runs, heard } = demoFor(mounts);
    const opening = [runs.open(), runs.open()];
    assert.deepEqual(await Promise.all(opening), [
      { client: clients[0], mountPath: "/repo" },
      { client: clients[0], mountPath: "/repo" },
    ]);
    await runs.open();
    assert.deepEqual([heard, opened.length], [["starting", "open /repo", "static"], 1]);
    runs.leave();
  });

  test("stay stopped, after however many microtasks the stop comes", async () => {
    const outcomes = new Set<string>();
    for (let turns = 0; turns < 12; turns += 1) {
      for (const isOpen of [false, true]) {
        const { mounts } = openMounts();
        const { runs } = demoFor(mounts);
        if (isOpen) {
          await runs.open();
        }
        const running = runs.run().then(
          () => "answered",
          ({ name }) => name,
        );
        await turnsOf(turns);
        runs.reset();
        const outcome = await running;
        outcomes.add(`${outcome}, ${runs.state}, ${runs.isBusy ? "busy" : "idle"}`);
        runs.leave();
      }
    }
    assert.deepEqual([...outcomes], ["AbortError, static, idle"]);
  });

  test("continue when the opening that they replaced ends", async () => {
    const outcomes = new Set<string>();
    for (let turns = 0; turns < 12; turns += 1) {
      const { mounts } = openMounts();
      const other = demoFor(mounts).runs;
      await other.open();
      const { runs } = demoFor(mounts);
      const opening = runs.open().then(
        () => "opened",
        ({ name }) => name,
      );
      await turnsOf(turns);
      const running = runs.run();
      await turnsOf(12);
      assert.equal(runs.isBusy, true);
      assert.deepEqual([await running, runs.state], [RESULT, "answered"]);
      outcomes.add(await opening);
      runs.leave();
      other.leave();
    }
    assert.deepEqual([...outcomes], ["AbortError", "opened"]);
  });

  test("keep their answer if the files of another tree cannot be mounted", async () => {
    const { mounts } = openMounts();
    const { runs, heard, page } = demoFor(mounts);
    await runs.run();
    heard.length = 0;
    page.request = new Problem("No tree.");
    const failure = { name: "BadRequest", message: "No tree." };
    await assert.rejects(runs.open(), failure);
    assert.deepEqual(
      [heard, runs.result, runs.state],
      [["starting", "answered", failure], RESULT, "answered"],
    );
    runs.leave();
  });
});
