import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { ProgressEvent } from "../../src/protocol/mount-report.ts";
import { type Loopback, startLoopback } from "../support/loopback.ts";
import { draw } from "../support/mounting.ts";
import { listUrl, publish, publishFiles } from "../support/remote.ts";

let server: Loopback;
beforeEach(async () => {
  server = await startLoopback();
});
afterEach(() => server.close());

describe("a manifest whose files are fetched ahead", () => {
  test("has the visitor's cookies sent to its own host alone", async (context) => {
    const other = await startLoopback();
    other.put("/far.md", { body: "far" });
    server.put("/near.md", { body: "near" });
    const fetched = context.mock.method(globalThis, "fetch");
    const address = publish(server, {
      manifest_version: 1,
      entries: [
        { path: "far.md", kind: "file", size_bytes: 3, url: `${other.address}far.md` },
        { path: "near.md", kind: "file", size_bytes: 4, url: "/near.md" },
      ],
    });
    await listUrl(address, { prefetch: true });
    await other.close();
    assert.deepEqual(
      fetched.mock.calls.map(({ arguments: [of, options] }) => [String(of), options?.credentials]),
      [
        [address, "same-origin"],
        [`${other.address}far.md`, "omit"],
        [`${server.address}near.md`, "same-origin"],
      ],
    );
  });

  test("holds their bytes, of those alone that are in the tree", async () => {
    const address = publishFiles(server, { "a.md": "first", "out.md": "no", "src/b.md": "second" });
    const events: ProgressEvent[] = [];
    const report = (event: ProgressEvent) => events.push(event);
    const tree = await listUrl(address, { prefetch: true, skip: ["out.md"], report });
    assert.deepEqual([...server.asked].sort(), ["/docs/a.md", "/docs/src/b.md", "/docs/tree.json"]);
    assert.deepEqual(draw(tree.root), { "a.md": "first", src: { "b.md": "second" } });
    const { item, ...last } = events.at(-1) ?? {};
    assert.deepEqual(last, { phase: "fetch", loaded: 11, total: 11 });
    assert(item === "a.md" || item === "src/b.md");
  });

  test("asks for a few at a time", async () => {
    const contents = Array.from({ length: 40 }, (_, index) => [`f${index}`, `${index}`]);
    const address = publishFiles(server, Object.fromEntries(contents));
    const tree = await listUrl(address, { prefetch: true });
    assert.deepEqual(draw(tree.root), Object.fromEntries(contents));
    assert.equal(server.asked.length, 41);
    assert.equal(server.mostAtOnce() <= 8, true);
  });

  test("is refused whole if one cannot be fetched", async () => {
    const address = publishFiles(server, { "a.md": "first", "src/b.md": "second" });
    server.put("/docs/src/b.md", { status: 404 });
    await assert.rejects(listUrl(address, { prefetch: true }), {
      name: "SourceUnreadable",
      message:
        "The file 'src/b.md' cannot be fetched: the server answered HTTP 404; check the address, or mount without prefetch.",
    });
  });

  test("is given up when it is aborted", async () => {
    const address = publishFiles(server, { "a.md": "first" });
    const controller = new AbortController();
    server.put("/docs/a.md", () => controller.abort("enough"));
    await assert.rejects(
      listUrl(address, { prefetch: true, signal: controller.signal }),
      (reason) => reason === "enough",
    );
  });
});
