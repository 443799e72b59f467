import assert from "node:assert/strict";
import { afterEach, describe, mock, test } from "node:test";
import type { TreeglassClient } from "../../src/client/client.ts";
import { RESULT } from "../support/connected.ts";
import { startLoopback } from "../support/loopback.ts";
import { contentOf, openThreads, outcomeOf, pass, timedOut } from "../support/threads.ts";

const tree = { entries: { "a.txt": "text" } };
const config = { tools: { offered: [] } };
/** The times that the session gives a call to stop. */
const [ABANDONED_AFTER_MS, INTERRUPT_GRACE_MS, CANCEL_GRACE_MS] = [1000, 1000, 100];
const REPLACED = "The worker was replaced, and every mount is back.";
const failed = (message: string) => ({ name: "WorkerFailed", message });
const DIED = failed(`The Python interpreter failed. ${REPLACED}`);
const LACKED = failed(`Serve late.wasm. ${REPLACED}`);
const goneFor = (reason: string) =>
  failed(
    `The worker failed, and no other could take its place: ${reason} Close this client and connect again.`,
  );
const CLOSED = { name: "Closed", message: "The client was closed; connect again." };

describe("a client whose worker is stopped or fails", () => {
  let clients: TreeglassClient[] = [];
  afterEach(async () => {
    mock.timers.reset();
    await Promise.all(clients.map((client) => client.close()));
    clients = [];
  });

  async function open(options = {}, clientCount = 1) {
    const threads = openThreads(options);
    clients = await Promise.all(Array.from({ length: clientCount }, () => threads.connect()));
    const [client, other] = clients;
    assert.ok(client);
    return { ...threads, client, other: other ?? client };
  }

  test("answers waiting requests in their order, with the settings and mounts of before", async () => {
    const { client, made } = await open();
    await client.mount("/one", tree);
    await client.mount("/two", tree);
    await client.configure(config);
    const spinning = outcomeOf(client.callTool("hang", {}, { timeoutMs: 1 }));
    const waited = [
      contentOf(client, "first"),
      client.mount("/three", tree),
      client.unmount("/one"),
      contentOf(client, "second"),
    ];
    assert.deepEqual(await spinning, timedOut("hang", 1, REPLACED));
    const [first, , , second] = await Promise.all(waited);
    assert.deepEqual(first, ["first", ["/one", "/two"], config]);
    assert.deepEqual(second, ["second", ["/two", "/three"], config]);
    assert.deepEqual(await contentOf(client, "third"), ["third", ["/two", "/three"], config]);
    assert.deepEqual(pathsOf(await client.mounts()), ["/two", "/three"]);
    assert.deepEqual(made, [1, 2]);
  });

  test("keeps a worker that can be interrupted, call after call", async () => {
    const { client, made } = await open({ sharesMemory: true });
    await client.mount("/one", tree);
    for (let round = 0; round < 20; round += 1) {
      const spinning = outcomeOf(client.callTool("spin", {}, { timeoutMs: 1 }));
      assert.deepEqual(await contentOf(client, `${round}`), [`${round}`, ["/one"], {}]);
      assert.deepEqual(await spinning, timedOut("spin", 1, "The mounts are as they were."));
    }
    assert.deepEqual(made, [1]);
  });

  test("saves what a call has changed before its interrupt arrived", async () => {
    const { client, made } = await open({ sharesMemory: true });
    const { content, version } = await client.callTool("outlast", {}, { timeoutMs: 1 });
    assert.deepEqual([JSON.parse(content), version, made], [["outlast", [], {}], 1, [1]]);
  });

  test("loses the worker if an interrupt does not help", async () => {
    const { client, made, hangs } = await open({ sharesMemory: true });
    mock.timers.enable({ apis: ["setTimeout"] });
    const spinning = outcomeOf(client.callTool("hang", {}, { timeoutMs: 1 }));
    await hangs;
    pass(1 + INTERRUPT_GRACE_MS);
    assert.deepEqual(await spinning, timedOut("hang", 1, REPLACED));
    assert.deepEqual(await contentOf(client, "next"), ["next", [], {}]);
    assert.deepEqual(made, [1, 2]);
  });

  test("does not count the time that a call waits for its turn", async () => {
    const { client, hangs } = await open();
    mock.timers.enable({ apis: ["setTimeout"] });
    const first = outcomeOf(client.callTool("hang", {}, { timeoutMs: 200 }));
    const second = client.callTool("second", {}, { timeoutMs: 150 });
    await hangs;
    pass(200 + CANCEL_GRACE_MS);
    assert.deepEqual(await first, timedOut("hang", 200, REPLACED));
    assert.equal((await second).content, '["second",[],{}]');
  });

  for (const when of ["before", "after"]) {
    test(`stops an aborted call if a request comes ${when} the abort`, async () => {
      const { client, made, hangs } = await open();
      mock.timers.enable({ apis: ["setTimeout"] });
      const controller = new AbortController();
      const { signal } = controller;
      const endless = client.callTool("hang", {}, { signal, timeoutMs: Infinity });
      const spinning = outcomeOf(endless);
      await hangs;
      const early = when === "before" ? contentOf(client, "next") : null;
      controller.abort("enough");
      assert.equal(await spinning, "enough");
      const next = early ?? contentOf(client, "next");
      pass(ABANDONED_AFTER_MS + CANCEL_GRACE_MS);
      assert.deepEqual(await next, ["next", [], {}]);
      assert.deepEqual(made, [1, 2]);
    });
  }

  test("lets an aborted call run on as long as no request waits", async () => {
    const { client, made, hangs } = await open();
    mock.timers.enable({ apis: ["setTimeout"] });
    const aborting = new AbortController();
    const spinning = outcomeOf(client.callTool("hang", {}, { signal: aborting.signal }));
    await hangs;
    aborting.abort("enough");
    pass(10 * ABANDONED_AFTER_MS);
    assert.deepEqual([await spinning, made], ["enough", [1]]);
  });

  test("stops an aborted mount for a request that comes long after the abort", async () => {
    const { client, made, hangs } = await open();
    mock.timers.enable({ apis: ["setTimeout"] });
    const aborting = new AbortController();
    const mounting = outcomeOf(client.mount("/hang", tree, { signal: aborting.signal }));
    await hangs;
    aborting.abort("enough");
    assert.equal(await mounting, "enough");
    pass(ABANDONED_AFTER_MS);
    const next = contentOf(client, "next");
    await new Promise((resolve) => setImmediate(resolve));
    pass(CANCEL_GRACE_MS);
    assert.deepEqual(await next, ["next", [], {}]);
    assert.deepEqual(made, [1, 2]);
  });

  test("rejects the call that its interpreter did not survive, and goes on", async () => {
    const { client, made } = await open();
    await client.mount("/one", tree);
    const dying = outcomeOf(client.callTool("die", {}));
    const next = contentOf(client, "next");
    assert.deepEqual(await dying, DIED);
    assert.deepEqual(await next, ["next", ["/one"], {}]);
    assert.deepEqual(made, [1, 2]);
  });

  test("gives up when worker after worker fails, and nothing is done in between", async () => {
    const { client, made } = await open();
    const dying = Array.from({ length: 5 }, () => outcomeOf(client.callTool("die", {})));
    const gone = goneFor("The Python interpreter failed.");
    assert.deepEqual(await Promise.all(dying), [DIED, DIED, DIED, gone, gone]);
    assert.deepEqual(await outcomeOf(client.listTools()), gone);
    assert.deepEqual(made, [1, 2, 3, 4]);
    assert.equal(process.getActiveResourcesInfo().includes("Timeout"), false);
  });

  test("goes on in the same worker after each call whose code cannot be fetched, in which no other starts", async () => {
    const { client, other, made } = await open({ startsFailing: 99 }, 2);
    await Promise.all([client.mount("/one", tree), other.mount("/two", tree)]);
    await other.configure(config);
    const lacking = Array.from({ length: 6 }, () => outcomeOf(client.callTool("lack", {})));
    const waited = contentOf(other, "waited");
    assert.deepEqual(await Promise.all(lacking), Array(6).fill(LACKED));
    assert.deepEqual(await waited, ["waited", ["/two"], config]);
    assert.deepEqual(await contentOf(client, "next"), ["next", ["/one"], {}]);
    assert.deepEqual(made, [1]);
  });

  test("replaces a worker in which no other interpreter starts", async () => {
    const { client, made } = await open({ interpreters: 1 });
    await client.mount("/one", tree);
    const lacking = outcomeOf(client.callTool("lack", {}));
    assert.deepEqual(await lacking, LACKED);
    assert.deepEqual(await contentOf(client, "next"), ["next", ["/one"], {}]);
    assert.deepEqual(made, [1, 2]);
  });

  test("replaces a worker whose memory a call has exhausted, after its answer", async () => {
    const { client, other, made } = await open({}, 2);
    await Promise.all([client.mount("/one", tree), other.mount("/two", tree)]);
    const exhausting = client.callTool("exhaust", {});
    const waited = contentOf(other, "waited");
    assert.deepEqual(await exhausting, {
      ...RESULT,
      content: '["exhaust",["/one"],{}]',
      warnings: ["The interpreter is replaced after this answer, which frees its memory."],
    });
    assert.deepEqual(await waited, ["waited", ["/two"], {}]);
    assert.deepEqual(await contentOf(client, "next"), ["next", ["/one"], {}]);
    assert.deepEqual(made, [1, 2]);
  });

  test("tries a failed start once more", async () => {
    const { client, made } = await open({ startsFailing: 1 });
    const spinning = outcomeOf(client.callTool("hang", {}, { timeoutMs: 1 }));
    assert.deepEqual(await spinning, timedOut("hang", 1, REPLACED));
    assert.deepEqual(await contentOf(client, "next"), ["next", [], {}]);
    assert.deepEqual(made, [1, 2, 3]);
  });

  test("is at its end when no worker starts any more", async () => {
    const { client, made } = await open({ startsFailing: 2 });
    const spinning = outcomeOf(client.callTool("hang", {}, { timeoutMs: 1 }));
    const gone = goneFor(
      "The worker did not start from the assets. Run npx treeglass assets public/treeglass, and pass its address as connect({ assets: '/treeglass/' }); or serve it there for a browser with module workers.",
    );
    assert.deepEqual(await spinning, gone);
    assert.deepEqual(await outcomeOf(client.listTools()), gone);
    assert.deepEqual(made, [1, 2, 3]);
  });

  test("names a mount that does not come back to the calls that waited for it", async () => {
    const { client } = await open();
    await client.mount("/kept", tree);
    const server = await startLoopback();
    server.put("/tree.json", { body: '{"manifest_version": 1, "entries": []}' });
    await client.mount("/lost", { url: `${server.address}tree.json` });
    // From now on it cannot be fetched.
    await server.close();
    const spinning = outcomeOf(client.callTool("hang", {}, { timeoutMs: 1 }));
    const waited = ["one", "two"].map((name) => outcomeOf(client.callTool(name, {})));
    const gone = client.mounts();
    const told = await spinning;
    const [refused, ...others] = await Promise.all(waited);
    assert.ok(told instanceof Object && "message" in told && refused instanceof Object);
    const loss = lossIn(told.message);
    assert.deepEqual(told, timedOut("hang", 1, loss));
    assert.deepEqual(refused, {
      name: "SourceUnreadable",
      message: `${loss} The call was not made; mount what it needs, and make it again.`,
    });
    assert.deepEqual(others, [refused]);
    assert.deepEqual(await contentOf(client, "next"), ["next", ["/kept"], {}]);
    assert.deepEqual(pathsOf(await gone), ["/kept", "/lost"]);
    assert.deepEqual(pathsOf(await client.mounts()), ["/kept"]);
  });

  test("shares its worker with others, which are restored with it", async () => {
    const { client, other, made } = await open({}, 2);
    await Promise.all([client.mount("/one", tree), other.mount("/two", tree)]);
    await other.configure(config);
    const spinning = outcomeOf(client.callTool("hang", {}, { timeoutMs: 1 }));
    const waited = contentOf(other, "waited");
    assert.deepEqual(await spinning, timedOut("hang", 1, REPLACED));
    assert.deepEqual(await waited, ["waited", ["/two"], config]);
    assert.deepEqual(await contentOf(client, "own"), ["own", ["/one"], {}]);
    await client.close();
    assert.deepEqual(await contentOf(other, "left"), ["left", ["/two"], config]);
    assert.deepEqual(made, [1, 2]);
  });

  for (const when of ["before", "after"]) {
    test(`is not held up by another that is closed ${when} its call has begun`, async () => {
      const { client, other, hangs } = await open({}, 2);
      await other.mount("/two", tree);
      mock.timers.enable({ apis: ["setTimeout"] });
      const spinning = outcomeOf(client.callTool("hang", {}, { timeoutMs: 500 }));
      await (when === "after" ? hangs : null);
      await client.close();
      const next = contentOf(other, "next");
      // The worker may have begun before it hears of the end.
      await Promise.race([hangs, next]);
      pass(ABANDONED_AFTER_MS + CANCEL_GRACE_MS);
      assert.deepEqual(await spinning, CLOSED);
      assert.deepEqual(await next, ["next", ["/two"], {}]);
    });
  }

  test("makes way for another that connects while its aborted call runs on", async () => {
    const { client, made, hangs, connect } = await open();
    mock.timers.enable({ apis: ["setTimeout"] });
    const aborting = new AbortController();
    const spinning = outcomeOf(client.callTool("hang", {}, { signal: aborting.signal }));
    await hangs;
    aborting.abort("enough");
    pass(ABANDONED_AFTER_MS);
    const connecting = connect();
    await new Promise((resolve) => setImmediate(resolve));
    pass(CANCEL_GRACE_MS);
    const other = await connecting;
    clients.push(other);
    assert.deepEqual(await contentOf(other, "next"), ["next", [], {}]);
    assert.deepEqual([await spinning, made], ["enough", [1, 2]]);
  });

  test("goes on when another is closed whose call waits behind its own", async () => {
    const { client, other, made, hangs } = await open({}, 2);
    mock.timers.enable({ apis: ["setTimeout"] });
    const spinning = outcomeOf(client.callTool("hang", {}, { timeoutMs: 500 }));
    await hangs;
    const waiting = outcomeOf(other.callTool("behind", {}));
    await other.close();
    assert.deepEqual(await waiting, CLOSED);
    pass(500 + CANCEL_GRACE_MS);
    assert.deepEqual(await spinning, timedOut("hang", 500, REPLACED));
    assert.deepEqual(made, [1, 2]);
  });

  test("can be closed while another worker starts for it", async () => {
    const { client } = await open();
    const spinning = outcomeOf(client.callTool("hang", {}, { timeoutMs: 1 }));
    const begun = outcomeOf(client.listTools());
    await client.close();
    assert.deepEqual([await spinning, await begun], [CLOSED, CLOSED]);
  });
});

const LOSS =
  /The worker was replaced, and what was mounted at '\/lost' \(.*\) could not be mounted again\./;

/** The clause about a server that is gone is the platform's own. */
function lossIn(message: unknown): string {
  const [found] = LOSS.exec(String(message)) ?? [];
  assert.ok(found);
  return found;
}

function pathsOf(reports: Awaited<ReturnType<TreeglassClient["mounts"]>>): string[] {
  return reports.map(({ path }) => path);
}
