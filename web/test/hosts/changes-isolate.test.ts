/** Changes of a client without a thread, over an interpreter that answers as it is told. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { connectIsolate } from "../../src/hosts/isolate/connect-isolate.ts";
import { SharedInterpreter } from "../../src/hosts/isolate/interpreter.ts";
import { mountDirectories } from "../../src/worker/tree-calls.ts";
import { bytesOf, changingAnswers, methodsOf } from "../support/changing.ts";
import { MountAccount, RESULT, runtimeThatAnswers } from "../support/connected.ts";

describe("changes in an isolate", () => {
  async function connect(options: { readonly state?: Uint8Array } = {}) {
    const answers = changingAnswers();
    const asked: unknown[] = [];
    const versions: number[] = [];
    const account = new MountAccount();
    const directories = mountDirectories();
    const interpreters = new SharedInterpreter(async () => ({
      runtime: runtimeThatAnswers(answers, asked, account),
      start: { way: "packages", reason: null, phases: [] },
      nextDirectory: directories,
      seed: () => undefined,
    }));
    const client = await connectIsolate(interpreters, {
      ...options,
      onChanges: ({ version }) => versions.push(version),
    });
    const die = async () => {
      const { listTools } = answers;
      answers.listTools = new Error("RuntimeError: unreachable");
      await assert.rejects(client.listTools(), { name: "WorkerFailed" });
      answers.listTools = listTools ?? { result: { tools: [] } };
    };
    return { client, asked, versions, account, die };
  }

  test("are saved before the next request, and restored in the next interpreter", async () => {
    const { client, asked, versions, die } = await connect();
    await client.mount("/repo", { entries: {} });
    const answers = [client.callTool("change", {}), client.reject("/repo/a"), client.undo()];
    assert.deepEqual(await Promise.all(answers), [
      { ...RESULT, version: 1 },
      { version: 2 },
      { version: 3 },
    ]);
    await die();
    assert.deepEqual(await client.saveState(), bytesOf(3));
    assert.deepEqual(methodsOf(asked), [
      "configure",
      "checkMount",
      "mount",
      "callTool change",
      "saveState",
      "rejectChange",
      "saveState",
      "undoChange",
      "saveState",
      "listTools",
      "configure",
      "checkMount",
      "mount",
      "restoreState state 3",
      "saveState",
    ]);
    assert.deepEqual(versions, [1, 2, 3]);
  });

  test("of an earlier client are there from the start, and are no new version", async () => {
    const { client, asked, versions } = await connect({ state: bytesOf(5) });
    const { version } = await client.callTool("look", {});
    assert.deepEqual([version, versions], [5, []]);
    assert.deepEqual(methodsOf(asked), ["configure", "restoreState state 5", "callTool look"]);
  });

  test("are discarded when their client ends, so that its trees can go", async () => {
    const { client, asked, account } = await connect();
    await client.mount("/repo", { entries: {} });
    await client.callTool("change", {});
    const before = asked.length;
    client.close();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(methodsOf(asked.slice(before)), ["discardChanges", "unmount"]);
    assert.deepEqual([...account.mounted], []);
  });
});
