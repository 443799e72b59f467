import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import {
  bytesOf,
  changingAnswers,
  closeChanging,
  connectChanging,
  methodsOf,
} from "../support/changing.ts";

const PATH = "/repo/a.txt";

describe("the record of changes", () => {
  afterEach(closeChanging);

  test("a worker that is replaced gets the record after the mounts, and before any call", async () => {
    const { client, asked, versions, workers } = await connectChanging();
    await client.mount("/repo", { entries: {} });
    await client.callTool("change", {});
    await client.reject(PATH);
    asked.length = 0;
    workers[0]?.crash();
    await client.callTool("look", {});
    await client.callTool("change", {});
    assert.deepEqual(methodsOf(asked), [
      "configure",
      "checkMount",
      "mount",
      "restoreState state 2",
      "callTool look",
      "callTool change",
      "saveState",
    ]);
    assert.deepEqual(versions, [1, 2, 3]);
  });

  test("a call that waits behind the end of its worker sees what was changed before", async () => {
    const answers = changingAnswers();
    const { callTool } = answers;
    assert.ok(typeof callTool === "function");
    answers.callTool = (params: { readonly name: string }) =>
      params.name === "die" ? new Error("RuntimeError: unreachable") : callTool(params);
    const { client, asked, versions } = await connectChanging(answers);
    const changed = client.callTool("change", {});
    const died = assert.rejects(client.callTool("die", {}), { name: "WorkerFailed" });
    const looked = client.callTool("look", {});
    await died;
    assert.deepEqual([(await changed).version, (await looked).version, versions], [1, 1, [1]]);
    assert.deepEqual(methodsOf(asked).slice(-3), [
      "configure",
      "restoreState state 1",
      "callTool look",
    ]);
  });

  test("a mark that makes no step is saved, and so are the notes that are left", async () => {
    const answers = changingAnswers();
    answers.keepChange = { result: { version: 1 } };
    answers.takeNotes = { result: { notes: ["one"] } };
    const { client, asked, versions } = await connectChanging(answers);
    await client.callTool("change", {});
    await client.keep(PATH);
    await client.takeNotes();
    answers.takeNotes = { result: { notes: [] } };
    await client.takeNotes();
    assert.deepEqual(methodsOf(asked), [
      "configure",
      "callTool change",
      "saveState",
      "keepChange",
      "saveState",
      "takeNotes",
      "saveState",
      "takeNotes",
    ]);
    assert.deepEqual(versions, [1]);
  });

  test("what a page saves survives a worker, also if it is only what was read", async () => {
    const { client, asked, versions, workers } = await connectChanging();
    await client.callTool("look", {});
    const saved = await client.saveState();
    saved.fill(0);
    asked.length = 0;
    workers[0]?.crash();
    await client.callTool("look", {});
    assert.deepEqual(methodsOf(asked), ["configure", "restoreState state 0", "callTool look"]);
    assert.deepEqual(versions, []);
  });

  test("a record that is restored is told once, and survives a worker", async () => {
    const { client, asked, versions, workers } = await connectChanging();
    await client.restoreState(bytesOf(5));
    workers[0]?.crash();
    const { version } = await client.callTool("look", {});
    assert.deepEqual([version, versions], [5, [5]]);
    assert.deepEqual(methodsOf(asked), [
      "configure",
      "restoreState state 5",
      "configure",
      "restoreState state 5",
      "callTool look",
    ]);
  });

  test("a client begins with the record that it is given, which is not a new version", async () => {
    const state = bytesOf(5);
    const { client, asked, versions } = await connectChanging(changingAnswers(), {
      changes: { state },
    });
    state.fill(0);
    const { version } = await client.callTool("look", {});
    assert.deepEqual([version, versions], [5, []]);
    assert.deepEqual(methodsOf(asked), ["configure", "restoreState state 5", "callTool look"]);
  });

  test("a client whose record is damaged does not connect", async () => {
    const error = { name: "StateInvalid", message: "The state was cut." };
    const answers = { ...changingAnswers(), restoreState: { error } };
    await assert.rejects(connectChanging(answers, { changes: { state: bytesOf(1) } }), error);
  });

  test("a record waits for its mount, and is there before the next request", async () => {
    const answers = changingAnswers();
    const { restoreState: restore } = answers;
    const error = { name: "WorkspaceInvalid", message: "/repo is not mounted." };
    answers.restoreState = { error };
    const changes = { state: bytesOf(5) };
    const { client, asked, versions } = await connectChanging(answers, { changes });
    assert.deepEqual(await client.saveState(), bytesOf(5));
    await client.mount("/other", { entries: {} });
    await client.listTools();
    answers.restoreState = restore;
    await client.listTools();
    await client.mount("/repo", { entries: {} });
    await client.listTools();
    await client.callTool("look", {});
    assert.deepEqual(versions, [5]);
    const mounting = ["checkMount", "mount", "restoreState state 5", "listTools"];
    assert.deepEqual(methodsOf(asked), [
      "configure",
      "restoreState state 5",
      ...mounting,
      "listTools",
      ...mounting,
      "callTool look",
    ]);
  });

  test("a call that changes something takes the place of a record that waits", async () => {
    const answers = changingAnswers();
    const error = { name: "WorkspaceInvalid", message: "/repo is not mounted." };
    answers.restoreState = { error };
    const changes = { state: bytesOf(5) };
    const { client, asked, versions } = await connectChanging(answers, { changes });
    await client.callTool("change", {});
    await client.mount("/repo", { entries: {} });
    assert.deepEqual(await client.saveState(), bytesOf(1));
    assert.deepEqual(versions, [1]);
    assert.equal(methodsOf(asked).filter((method) => method.startsWith("restore")).length, 1);
  });
});
