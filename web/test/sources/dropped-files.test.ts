import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { DroppedEntries } from "../../src/client/dropped-files.ts";
import { collectDrop } from "../../src/index.ts";
import { connected } from "../support/connected.ts";
import { dropOf, droppedDirectory, droppedFile } from "../support/files/drops.ts";
import { listedDrop } from "../support/files/listed-drops.ts";

const never = new AbortController().signal;
const file = (name: string) => new File([], name, { lastModified: 7 });

describe("a drop", () => {
  test("of a single folder has its name, and lists its files and empty folders", async () => {
    const a = file("a");
    const folder = droppedDirectory("/app", [
      [droppedFile("/app/a", a), droppedDirectory("/app/empty", [])],
    ]);
    const drop = new DroppedEntries(dropOf([folder]));
    assert.deepEqual([drop.names, drop.folder], [["app"], "app"]);
    assert.deepEqual(await listedDrop(await drop.list(never, 2)), {
      folder: "app",
      files: [
        ["app", null],
        ["app/empty", null],
        ["app/a", a],
      ],
    });
  });

  test("that is collected in the event is listed after the browser emptied it", async () => {
    const a = file("a");
    const transfer = dropOf([droppedFile("/a", a), droppedDirectory("/b", [])]);
    const drop = new DroppedEntries(transfer);
    Object.assign(transfer, { items: [], files: [] });
    assert.deepEqual([drop.names, drop.folder], [["a", "b"], null]);
    assert.deepEqual(await listedDrop(await drop.list(never, 2)), {
      folder: null,
      files: [
        ["b", null],
        ["a", a],
      ],
    });
  });

  test("of files that a script made, without entries, lists them by their names", async () => {
    const a = file("a.txt");
    const drop = new DroppedEntries(dropOf([null], [a]));
    assert.deepEqual([drop.names, drop.folder], [["a.txt"], null]);
    assert.deepEqual(await listedDrop(await drop.list(never, 1)), {
      folder: null,
      files: [["a.txt", a]],
    });
  });

  test("may hold a directory with more files than a call has arguments", async () => {
    const one = file("f");
    const files = Array.from({ length: 200_000 }, (_, index) => droppedFile(`/big/f${index}`, one));
    const listed = await new DroppedEntries(dropOf([droppedDirectory("/big", [files])])).list(
      never,
      200_000,
    );
    assert.equal(listed.files.length, 200_001);
  });

  test("is walked up to the batch that brings one entry too many", async () => {
    const batches = Array.from({ length: 5 }, (_, batch) => [
      droppedFile(`/big/${batch}a`, file("a")),
      droppedFile(`/big/${batch}b`, file("b")),
    ]);
    const drop = new DroppedEntries(dropOf([droppedDirectory("/big", batches)]));
    await assert.rejects(drop.list(never, 3), {
      name: "LimitExceeded",
      message:
        "More than 3 entries were dropped (maxEntries); drop a part of the tree, or raise limits.maxEntries.",
    });
    assert.equal(batches.length, 3);
  });

  test("is walked up to the batch after which it was aborted", async () => {
    const controller = new AbortController();
    const batches = Array.from({ length: 5 }, (_, batch) => [
      droppedFile(`/d/${batch}`, file("f")),
    ]);
    const folder = droppedDirectory("/d", batches, () => controller.abort("enough"));
    const drop = new DroppedEntries(dropOf([folder]));
    await assert.rejects(drop.list(controller.signal, 9), (reason) => reason === "enough");
    assert.equal(batches.length, 4);
  });
});

describe("a client that mounts a drop", () => {
  let close: () => void = () => undefined;
  afterEach(() => close());

  async function connect() {
    const one = await connected();
    close = () => one.client.close();
    const methods = () => one.asked.slice(1).map((request) => Object(request).method);
    return { client: one.client, methods };
  }

  test("does later requests after it", async () => {
    const { client, methods } = await connect();
    const folder = droppedDirectory("/app", [[droppedDirectory("/app/empty", [])]]);
    const [report] = await Promise.all([
      client.mount("/repo", { files: collectDrop(dropOf([folder])) }),
      client.callTool("list_dir", "{}"),
      client.listTools(),
    ]);
    assert.deepEqual([report.files, report.directories], [0, 1]);
    assert.deepEqual(methods(), ["checkMount", "mount", "callTool", "listTools"]);
  });

  test("gives way to later requests when it is aborted, though the disk never answers", async () => {
    const { client, methods } = await connect();
    const controller = new AbortController();
    const files = dropOf([droppedDirectory("/stuck", null)]);
    const mount = client.mount("/repo", { files }, { signal: controller.signal });
    const held = new AbortController();
    const call = client.callTool("list_dir", "{}", { signal: held.signal });
    const listed = client.listTools();
    held.abort("not this one");
    await assert.rejects(call, (reason) => reason === "not this one");
    controller.abort("enough");
    await assert.rejects(mount, (reason) => reason === "enough");
    await listed;
    assert.deepEqual(methods(), ["listTools"]);
  });

  test("refuses a drop over the limit of the mount, and goes on", async () => {
    const { client, methods } = await connect();
    const files = dropOf([droppedFile("/a", file("a")), droppedFile("/b", file("b"))]);
    const mount = client.mount("/repo", { files }, { limits: { maxEntries: 1 } });
    const listed = client.listTools();
    await assert.rejects(mount, { name: "LimitExceeded" });
    await listed;
    assert.deepEqual(methods(), ["listTools"]);
  });

  test("rejects waiting requests when it is closed", async () => {
    const { client } = await connect();
    const closed = { name: "Closed" };
    const mount = client.mount("/repo", { files: dropOf([droppedDirectory("/stuck", null)]) });
    const rejected = Promise.all([
      assert.rejects(mount, closed),
      assert.rejects(client.listTools(), closed),
    ]);
    await client.close();
    await rejected;
  });

  test("refuses one that was read too late and does not mount an empty tree", async () => {
    const { client, methods } = await connect();
    await assert.rejects(client.mount("/repo", { files: dropOf([null]) }), {
      name: "SourceUnreadable",
      message:
        "The drop holds no files; drop files or folders, and pass the DataTransfer to mount or collectDrop in the drop event itself, before any await.",
    });
    assert.deepEqual(methods(), []);
  });
});
