import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { ProgressEvent } from "../../src/protocol/mount-report.ts";
import { fetchBytes } from "../../src/sources/remote/fetch-bytes.ts";
import { writeTar } from "../support/archives/tar-writer.ts";
import { writeZip } from "../support/archives/zip-writer.ts";
import { connected } from "../support/connected.ts";
import { endless, type Loopback, startLoopback } from "../support/loopback.ts";
import { draw, reportOf, reportWith } from "../support/mounting.ts";
import { listUrl, never } from "../support/remote.ts";

const ZIP = writeZip([
  { name: "a.txt", content: "first" },
  { name: "src\\b.txt", content: "second" },
]);

function integrityOf(algorithm: string, bytes: Uint8Array): string {
  return `${algorithm}-${createHash(algorithm).update(bytes).digest("base64")}`;
}

let server: Loopback;
beforeEach(async () => {
  server = await startLoopback();
});
afterEach(() => server.close());

describe("an address", () => {
  test("that holds an archive becomes its tree, and the report names the address", async () => {
    server.put("/tree.zip?v=1", {
      body: ZIP,
      headers: { "content-length": String(ZIP.byteLength) },
    });
    const events: ProgressEvent[] = [];
    const report = (event: ProgressEvent) => events.push(event);
    const tree = await listUrl(`${server.address}tree.zip?v=1#top`, { report });
    assert.deepEqual(draw(tree.root), { "a.txt": "first", src: { "b.txt": "second" } });
    assert.deepEqual(
      reportOf(tree),
      reportWith({
        origin: `${server.address}tree.zip?v=1`,
        files: 2,
        directories: 1,
        bytes: 11,
        converted: [{ path: "src\\b.txt", reason: "backslashes read as separators" }],
      }),
    );
    const total = ZIP.byteLength;
    const item = `${server.address}tree.zip`;
    assert.deepEqual(
      [events[0], events.at(-1)],
      [
        { phase: "fetch", loaded: 0, total, item },
        { phase: "fetch", loaded: total, total, item },
      ],
    );
  });

  test("that holds a tar archive is no manifest, though its first name starts with a brace", async () => {
    const path = "{{cookiecutter.name}}/a.txt";
    server.put("/template.tar", { body: writeTar([{ name: path, content: "first" }]) });
    const tree = await listUrl(`${server.address}template.tar`);
    assert.deepEqual([Object.keys(draw(tree.root)), tree.bytes], [["{{cookiecutter.name}}"], 5]);
  });

  test("that moved is reported as the address to which it was redirected", async () => {
    server.put("/old", { status: 302, headers: { location: "/new/tree.zip?v=2" } });
    server.put("/new/tree.zip?v=2", { body: ZIP });
    const tree = await listUrl(`${server.address}old`);
    assert.equal(tree.origin, `${server.address}new/tree.zip?v=2`);
  });

  test("of the page's own memory is fetched like any other, and shown without its content", async () => {
    const base64 = Buffer.from(ZIP).toString("base64");
    const ofData = await listUrl(`data:application/zip;base64,${base64}`);
    assert.deepEqual([ofData.origin, ofData.files], ["data:application/zip;base64,…", 2]);
    const address = URL.createObjectURL(new Blob([new Uint8Array(ZIP)]));
    const ofBlob = await listUrl(address);
    assert.deepEqual([ofBlob.origin, ofBlob.files], [address, 2]);
    URL.revokeObjectURL(address);
  });

  test("leaves out the entries that the mount skips", async () => {
    server.put("/tree.zip", { body: ZIP });
    const tree = await listUrl(`${server.address}tree.zip`, { skip: ["src"] });
    assert.deepEqual(draw(tree.root), { "a.txt": "first" });
    assert.deepEqual(tree.skipped, [{ path: "src", reason: "left out by the skip option" }]);
  });

  const pages: [string, Record<string, string>, string][] = [
    ["by its start", {}, "\n <!DOCTYPE html><title>Not here</title>"],
    ["by its media type", { "content-type": "Text/HTML; charset=utf-8" }, "<p>Not here</p>"],
  ];
  for (const [how, headers, body] of pages) {
    test(`that holds a page, known ${how}, is refused before any hash is compared`, async () => {
      server.put("/tree.zip", { headers, body });
      const integrity = integrityOf("sha256", ZIP);
      await assert.rejects(listUrl(`${server.address}tree.zip`, { integrity }), {
        name: "SourceUnreadable",
        message: `${server.address}tree.zip cannot be mounted: an HTML page is there, and no archive or manifest; check the address, since servers answer many wrong ones with a page.`,
      });
    });
  }

  const statuses: [number, string][] = [
    [404, "check the address"],
    [401, "check that it can be read without signing in"],
    [403, "check that it can be read without signing in"],
    [429, "try again later"],
    [503, "try again later"],
  ];
  for (const [status, advice] of statuses) {
    test(`that answers HTTP ${status} is refused with that, and without its query`, async () => {
      server.put("/tree.zip?token=secret", { status, body: "<html>" });
      await assert.rejects(listUrl(`${server.address}tree.zip?token=secret`), {
        name: "SourceUnreadable",
        message: `${server.address}tree.zip cannot be mounted: the server answered HTTP ${status}; ${advice}.`,
      });
    });
  }

  test("without an answer is refused with the possible causes", async () => {
    const { address } = server;
    await server.close();
    await assert.rejects(listUrl(`${address}tree.zip`), {
      name: "SourceUnreadable",
      message: `${address}tree.zip cannot be mounted: no readable reply from ${new URL(address).host}; check the address and your connection, and that the host lets this page read it (CORS).`,
    });
    server = await startLoopback();
  });
});

describe("the integrity of an address", () => {
  const wrong = integrityOf("sha512", new Uint8Array());
  const accepted: [string, string][] = [
    ["one hash", integrityOf("sha384", ZIP)],
    ["any hash of the strongest kind", `${wrong} ${integrityOf("sha512", ZIP)}`],
    ["a weaker kind that is wrong", `${integrityOf("sha512", ZIP)} sha256-AAAA`],
    ["unknown kinds", `md5-AAAA ${integrityOf("sha256", ZIP)}?option`],
    ["base64 for addresses", integrityOf("sha512", ZIP).replaceAll("+", "-").replaceAll("/", "_")],
  ];
  for (const [what, integrity] of accepted) {
    test(`lets the archive pass: ${what}`, async () => {
      server.put("/tree.zip", { body: ZIP });
      assert.equal((await listUrl(`${server.address}tree.zip`, { integrity })).files, 2);
    });
  }

  test("refuses other bytes, and tells their hash", async () => {
    server.put("/tree.zip", { body: ZIP });
    const integrity = `${integrityOf("sha256", ZIP)} ${wrong}`;
    await assert.rejects(listUrl(`${server.address}tree.zip`, { integrity }), {
      name: "SourceUnreadable",
      message: `${server.address}tree.zip cannot be mounted: its bytes have the integrity ${integrityOf("sha512", ZIP)}, which is not the given one; check whether it was changed, and give the integrity of the bytes that you trust.`,
    });
  });

  test("that names no hash is refused before anything is fetched", async () => {
    await assert.rejects(listUrl(`${server.address}tree.zip`, { integrity: "md5-AAAA" }), {
      name: "BadRequest",
      message:
        'The integrity "md5-AAAA" has no hash that is known; write sha256-, sha384- or sha512- and the hash in base64.',
    });
    assert.deepEqual(server.asked, []);
  });

  test("is left to the browser if the page came without encryption", async () => {
    server.put("/tree.zip", { body: ZIP });
    const address = `${server.address}tree.zip`;
    const own = Object.getOwnPropertyDescriptor(globalThis, "crypto");
    Object.defineProperty(globalThis, "crypto", { value: {}, configurable: true });
    try {
      const tree = await listUrl(address, { integrity: integrityOf("sha256", ZIP) });
      assert.equal(tree.files, 2);
      await assert.rejects(listUrl(address, { integrity: wrong }), {
        name: "SourceUnreadable",
        message: `${address} cannot be mounted: no readable reply from ${new URL(address).host} with the integrity ${wrong}; check the address and your connection, and that the host lets this page read it (CORS).`,
      });
    } finally {
      Object.defineProperty(globalThis, "crypto", own ?? { value: undefined });
    }
  });
});

describe("a download", () => {
  const tooLarge = (address: string, limit: number) => ({
    name: "LimitExceeded",
    message: `${address} has more than ${limit} bytes (maxTotalBytes); mount a smaller archive, or raise limits.maxTotalBytes.`,
  });

  test("that never ends stops at maxTotalBytes, and the server is let go", async () => {
    const { answer, ended } = endless("x".repeat(65_536));
    server.put("/tree.zip", answer);
    const address = `${server.address}tree.zip`;
    const events: ProgressEvent[] = [];
    const report = (event: ProgressEvent) => events.push(event);
    const limits = { maxTotalBytes: 300_000 };
    await assert.rejects(listUrl(address, { limits, report }), tooLarge(address, 300_000));
    await ended;
    assert.deepEqual(
      events.filter(({ loaded }) => loaded > 300_000),
      [],
    );
  });

  test("that says at its start that it is too large is not read", async () => {
    const withoutBody = (response: ServerResponse) => {
      response.writeHead(200, { "content-length": "5000000" });
      response.flushHeaders();
    };
    server.put("/tree.zip", withoutBody);
    const address = `${server.address}tree.zip`;
    const limits = { maxTotalBytes: 1000 };
    await assert.rejects(listUrl(address, { limits }), tooLarge(address, 1000));
  });

  test("that stands still is given up, before its answer and within it", async () => {
    server.put("/silent", () => undefined);
    server.put("/stalled", (response) => void response.write("some"));
    const ceiling = { bytes: 99, exceeded: () => new Error("too large") };
    const options = { ceiling, signal: never, idleTimeoutMs: 50 };
    for (const path of ["silent", "stalled"]) {
      await assert.rejects(fetchBytes(`${server.address}${path}`, options), {
        message: "the server sent nothing for 0.05 s",
        advice: "try again",
      });
    }
  });

  test("that breaks off is refused with how far it came", async () => {
    server.put("/tree.zip", (response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => response.destroy());
    });
    await assert.rejects(listUrl(`${server.address}tree.zip`), {
      name: "SourceUnreadable",
      message: `${server.address}tree.zip cannot be mounted: the connection broke after 4 bytes; try again.`,
    });
  });

  test("that is compressed on its way is counted by its uncompressed bytes", async () => {
    const { gzipSync } = await import("node:zlib");
    server.put("/tree.zip", { body: gzipSync(ZIP), headers: { "content-encoding": "gzip" } });
    const events: ProgressEvent[] = [];
    const report = (event: ProgressEvent) => events.push(event);
    await listUrl(`${server.address}tree.zip`, { report });
    const item = `${server.address}tree.zip`;
    assert.deepEqual(
      [events[0], events.at(-1)],
      [
        { phase: "fetch", loaded: 0, item },
        { phase: "fetch", loaded: ZIP.byteLength, total: ZIP.byteLength, item },
      ],
    );
  });

  test("that is aborted midway ends, leaves nothing mounted, and the client goes on", async () => {
    const { answer, ended } = endless("x".repeat(65_536));
    server.put("/tree.zip", answer);
    const { client, account } = await connected();
    const controller = new AbortController();
    const mount = client.mount(
      "/repo",
      { url: `${server.address}tree.zip` },
      {
        signal: controller.signal,
        onProgress: ({ loaded }) => loaded > 0 && controller.abort("enough"),
      },
    );
    await assert.rejects(mount, (reason) => reason === "enough");
    await ended;
    server.put("/tree.zip", { body: ZIP });
    const { elapsedMs, ...report } = await client.mount("/repo", {
      url: new URL(`${server.address}tree.zip`),
      integrity: integrityOf("sha256", ZIP),
    });
    assert.equal(typeof elapsedMs, "number");
    assert.deepEqual(
      report,
      reportWith({
        path: "/repo",
        origin: `${server.address}tree.zip`,
        files: 2,
        directories: 1,
        bytes: 11,
        converted: [{ path: "src\\b.txt", reason: "backslashes read as separators" }],
      }),
    );
    assert.equal(account.mounted.size, 1);
    await client.close();
  });
});
