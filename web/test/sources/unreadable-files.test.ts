import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, test } from "node:test";
import type { TreeglassClient } from "../../src/client/client.ts";
import { writeZip } from "../support/archives/zip-writer.ts";
import { type Loopback, startLoopback } from "../support/loopback.ts";
import { connectRealClient } from "../support/real-client.ts";

const HELLO = "hello";
const sha256 = createHash("sha256").update(HELLO).digest("hex");

/** An archive of which one byte was changed after it was made. */
const DAMAGED = writeZip([
  { name: "a.txt", content: "text", method: 0, crc32: 7 },
  { name: "deflated.txt", content: "text", crc32: 7 },
  { name: "good.txt", content: "good\n" },
]);

describe("a file that cannot be read", () => {
  let client: TreeglassClient;
  let server: Loopback;
  before(async () => {
    server = await startLoopback();
    const entries = ["good", "other", "missing", "short"].map((name) => ({
      path: `${name}.txt`,
      kind: "file",
      size_bytes: name === "short" ? 9 : HELLO.length,
      sha256,
    }));
    server.put("/tree.json", { body: JSON.stringify({ manifest_version: 1, entries }) });
    server.put("/good.txt", { body: HELLO });
    server.put("/other.txt", { body: "HELLO" });
    server.put("/short.txt", { body: HELLO });
    client = await connectRealClient({
      config: { tools: { offered: [], experimental_supported_tools: ["apply_patch"] } },
    });
    await client.mount("/z", { archive: Uint8Array.from(DAMAGED) });
    await client.mount("/web", { url: `${server.address}tree.json` });
  });
  after(async () => {
    client.close();
    await server.close();
  });

  const isUnreadable = (message: string) => ({ name: "PathUnreadable", message });

  test("rejects with the reason of its archive, however often it is read", async () => {
    const differs = isUnreadable("/z/a.txt cannot be read: the checksum differs");
    for (let read = 0; read < 6; read += 1) {
      await assert.rejects(client.readFile("/z/a.txt"), differs);
    }
    await assert.rejects(client.readFile("/z/a.txt", { maxBytes: 4 }), differs);
    await assert.rejects(
      client.readFile("/z/deflated.txt"),
      isUnreadable("/z/deflated.txt cannot be read: the checksum differs"),
    );
  });

  test("rejects with the reason of its address", async () => {
    await assert.rejects(
      client.readFile("/web/missing.txt"),
      isUnreadable("/web/missing.txt cannot be read: the server answered HTTP 404"),
    );
    await assert.rejects(
      client.readFile("/web/other.txt"),
      isUnreadable("/web/other.txt cannot be read: the content differs from its sha256"),
    );
    await assert.rejects(
      client.readFile("/web/short.txt"),
      isUnreadable("/web/short.txt cannot be read: the content is smaller than declared"),
    );
  });

  test("leaves its folder, the other files and the proposals as they were", async () => {
    const patch = (lines: string) => ({ input: `*** Begin Patch\n${lines}*** End Patch\n` });
    await assert.rejects(client.readFile("/z/a.txt"));
    await client.callTool("apply_patch", patch("*** Update File: /z/a.txt\n@@\n-text\n+new\n"));
    await client.callTool("apply_patch", patch("*** Update File: /z/good.txt\n@@\n-good\n+new\n"));
    await assert.rejects(client.readFile("/z/a.txt"));

    const { entries } = await client.listEntries("/z");
    assert.deepEqual(
      entries.map(({ path, sizeBytes }) => [path, sizeBytes]),
      [
        ["/z/a.txt", 4],
        ["/z/deflated.txt", 4],
        ["/z/good.txt", 4],
      ],
    );
    const { bytes } = await client.readFile("/z/good.txt");
    assert.equal(new TextDecoder().decode(bytes), "new\n");
    assert.deepEqual(
      (await client.changes()).entries.map(({ path, baseState }) => [path, baseState]),
      [["/z/good.txt", "unchanged"]],
    );
    assert.equal((await client.diff("/z/good.txt")).hunks.length, 1);
    const patched = await client.exportChanges({ format: "patch" });
    assert.deepEqual(patched.match(/^diff .*$/gm), ["diff --git a/z/good.txt b/z/good.txt"]);
    assert.equal(await client.exportChanges({ format: "patch", leaveOut: ["/z/good.txt"] }), "");
  });
});
