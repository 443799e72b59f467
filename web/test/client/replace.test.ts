import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import type { TreeglassClient } from "../../src/client/client.ts";
import { connected, RESULT } from "../support/connected.ts";

const first = { entries: { "a.txt": "first" } };
const second = { entries: { "b.txt": "second", "c.txt": "" } };

const filesOf = (client: TreeglassClient) => client.mounts().map(({ files }) => files);

describe("a mount at an occupied path", () => {
  let close: () => void = () => undefined;
  afterEach(() => close());

  async function connect(answers = {}, options = {}) {
    const one = await connected(answers, options);
    close = () => one.client.close();
    const hostsAsked = () =>
      one.asked.flatMap((request) => {
        const { method, params } = Object(request);
        return method === "mount" ? [[params.host, params.replace]] : [];
      });
    return { ...one, hostsAsked };
  }

  test("is refused before its source is looked at", async () => {
    const error = { name: "WorkspaceInvalid", message: "'/repo' is mounted already" };
    const { client, asked } = await connect({ checkMount: { error } });
    await assert.rejects(client.mount("/repo", { url: "https://example.test/tree.zip" }), error);
    assert.deepEqual(asked.slice(1), [
      { method: "checkMount", params: { path: "/repo", replace: false } },
    ]);
  });

  test("with replace takes the place of the former mount, which is released", async () => {
    const { client, account, hostsAsked } = await connect();
    await client.mount("/repo", first);
    const { files } = await client.mount("/repo", second, { replace: true });
    await client.listTools();
    assert.deepEqual([files, filesOf(client)], [2, [2]]);
    assert.deepEqual([...account.mounted], ["/treeglass/mounts/2"]);
    assert.deepEqual(hostsAsked(), [
      ["/treeglass/mounts/1", false],
      ["/treeglass/mounts/2", true],
    ]);
  });

  test("leaves the former mount if its own source is broken", async () => {
    const { client, account } = await connect();
    await client.mount("/repo", first);
    const broken = { archive: new Uint8Array([1, 2, 3]) };
    await assert.rejects(client.mount("/repo", broken, { replace: true }), {
      name: "SourceUnreadable",
    });
    assert.deepEqual(filesOf(client), [1]);
    assert.deepEqual([...account.mounted], ["/treeglass/mounts/1"]);
  });

  test("is undone if it is aborted after its end and before its report", async () => {
    const { client, account, hostsAsked } = await connect();
    await client.mount("/repo", first);
    const controller = new AbortController();
    const onProgress = () => controller.abort("enough");
    const { signal } = controller;
    await assert.rejects(
      client.mount("/repo", second, { replace: true, signal, onProgress }),
      (reason) => reason === "enough",
    );
    await client.listTools();
    assert.deepEqual(filesOf(client), [1]);
    assert.deepEqual([...account.mounted], ["/treeglass/mounts/1"]);
    assert.deepEqual(hostsAsked(), [
      ["/treeglass/mounts/1", false],
      ["/treeglass/mounts/2", true],
      ["/treeglass/mounts/1", true],
    ]);
  });

  test("is undone if its report cannot be sent", async () => {
    const isUnsendable = (message: unknown) => JSON.stringify(message).includes('"files":2');
    const { client, account } = await connect({}, { isUnsendable });
    await client.mount("/repo", first);
    await assert.rejects(client.mount("/repo", second, { replace: true }), {
      name: "WorkerFailed",
      message: "The worker failed: Data cannot be cloned, out of memory.",
    });
    await assert.rejects(client.mount("/other", second), { name: "WorkerFailed" });
    assert.deepEqual([...account.mounted], ["/treeglass/mounts/1"]);
    assert.deepEqual(filesOf(client), [1]);
  });

  test("is removed whole, and so is the mount that it has just replaced", async () => {
    const { client, account } = await connect();
    await Promise.all([
      client.mount("/repo", first),
      client.mount("/repo", second, { replace: true }),
      client.unmount("/repo"),
    ]);
    assert.deepEqual([await client.mounts(), [...account.mounted]], [[], []]);
  });

  test("refuses a replace option that is neither true nor false", async () => {
    const { client } = await connect();
    const options: object = { replace: "yes" };
    await assert.rejects(client.mount("/repo", first, options), {
      name: "BadRequest",
      message: "The option replace is true or false.",
    });
  });
});

describe("a call behind a mount that is aborted", () => {
  test("does not see its tree, however far the mount had come", async (context) => {
    const { client, asked } = await connected();
    context.after(() => client.close());
    const controller = new AbortController();
    const mount = client.mount("/repo", first, {
      signal: controller.signal,
      onProgress: ({ phase }) => phase === "mount" && controller.abort("enough"),
    });
    const call = client.callTool("list_dir", { dir_path: "/repo" });
    await assert.rejects(mount, (reason) => reason === "enough");
    assert.deepEqual(await call, RESULT);
    const methods = asked.slice(1).map((request) => Object(request).method);
    assert.deepEqual(methods, ["checkMount", "mount", "unmount", "callTool"]);
  });
});
