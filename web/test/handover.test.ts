import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { isRecord } from "../src/lib/checks.ts";
import { serve } from "../src/worker/serve.ts";
import { readableBlobs } from "./support/blobs.ts";
import { accountOfMounts, type ConnectedOptions, connected } from "./support/connected.ts";
import { FOLDERS, workerHostWith } from "./support/hosts.ts";
import { writeTar } from "./support/tar-writer.ts";

const UNREADABLE = {
  kind: "BadRequest",
  message:
    "The worker could not read the request; send less at once, and nothing that is bound to the page.",
};
const MALFORMED = {
  kind: "BadRequest",
  message: "The request has values of the wrong type; see the types of the package.",
};

const TAR = writeTar([{ name: "a.txt", content: "text" }]);

describe("a worker that is handed a Blob", () => {
  let close: () => void = () => undefined;
  afterEach(() => close());

  /** Returns both ways to a started worker, and the answers to mounts. */
  async function open() {
    const { readBlob, makeFile } = readableBlobs();
    const scope = new MessageChannel();
    const client = new MessageChannel();
    close = () => {
      scope.port1.close();
      client.port1.close();
    };
    const runtime = {
      fs: accountOfMounts(),
      late: null,
      setInterruptBuffer: () => undefined,
      openBridge: () => () => JSON.stringify({ result: {} }),
    };
    const start = async () => ({
      runtime,
      start: { way: "packages", reason: null, phases: [] } as const,
    });
    serve(scope.port2, workerHostWith({ readBlob }), { load: () => undefined, start });
    scope.port2.start();
    scope.port1.start();
    client.port1.start();
    const params = { folders: FOLDERS, image: null, interrupts: null };
    const started = nextOf(scope.port1, "result");
    scope.port1.postMessage({ type: "request", id: 1, method: "start", params });
    await started;
    scope.port1.postMessage({ type: "open", port: client.port2 }, [client.port2]);
    let lastId = 0;
    return {
      blob: makeFile(TAR, "a.tar"),
      /** The worker's end, which a test tells of an unreadable message. */
      workerScope: scope.port2,
      tell: (message: unknown) => scope.port1.postMessage(message),
      /** Mounts the archive of a handle: `began` resolves at its turn, `outcome` with its end. */
      mount(handle: number) {
        lastId += 1;
        const began = nextOf(client.port1, "began", lastId);
        const outcome = nextOf(client.port1, /^(?:result|error)$/, lastId).then(outcomeOf);
        const source = { kind: "archive", archive: handle };
        const path = `/${lastId}`;
        const mounting = { path, source, limits: {}, skip: [], replace: false };
        client.port1.postMessage({
          type: "request",
          id: lastId,
          method: "mount",
          params: mounting,
        });
        return { began, outcome };
      },
    };
  }

  test("gives it to the request that names it, once", async () => {
    const { blob, tell, mount } = await open();
    tell({ type: "handover", handle: 1, blob });
    tell({ type: "handover", handle: 2, blob });
    const outcomes = [2, 1, 2].map((handle) => mount(handle).outcome);
    assert.deepEqual(await Promise.all(outcomes), [{ files: 1 }, { files: 1 }, UNREADABLE]);
  });

  test("lets a request that names it wait until it arrives", async () => {
    const { blob, tell, mount } = await open();
    const { began, outcome } = mount(1);
    await began;
    tell({ type: "handover", handle: 1, blob });
    assert.deepEqual(await outcome, { files: 1 });
  });

  test("refuses the request that names one that was withdrawn", async () => {
    const { blob, tell, mount } = await open();
    tell({ type: "handover", handle: 1, blob });
    tell({ type: "withdraw", handle: 1 });
    assert.deepEqual(await mount(1).outcome, UNREADABLE);
  });

  const broken: [string, (one: Awaited<ReturnType<typeof open>>) => void, object][] = [
    [
      "could not be read",
      ({ workerScope }) => workerScope.dispatchEvent(new Event("messageerror")),
      UNREADABLE,
    ],
    ["is no Blob", ({ tell }) => tell({ type: "handover", handle: 2, blob: {} }), MALFORMED],
  ];
  for (const [what, breakSecond, refusal] of broken) {
    for (const when of ["before", "after"]) {
      test(`refuses the request sent ${when} a handover that ${what}, and no other`, async () => {
        const one = await open();
        const { blob, tell, mount } = one;
        tell({ type: "handover", handle: 1, blob });
        assert.deepEqual(await mount(1).outcome, { files: 1 });
        const early = when === "before" ? mount(2) : null;
        await early?.began;
        breakSecond(one);
        tell({ type: "handover", handle: 3, blob });
        const outcomes = [early ?? mount(2), mount(3)].map(({ outcome }) => outcome);
        assert.deepEqual(await Promise.all(outcomes), [refusal, { files: 1 }]);
      });
    }
  }
});

describe("an archive that a page has as a Blob", () => {
  let close: () => void = () => undefined;
  afterEach(() => close());

  async function open(answers = {}) {
    const { readBlob, makeFile } = readableBlobs();
    const options: ConnectedOptions = { readBlob };
    const one = await connected(answers, options);
    close = () => one.client.close();
    return { ...one, archive: makeFile(TAR, "a.tar") };
  }

  test("is handed over anew to each worker, and withdrawn with its mount", async () => {
    const { client, archive, workers, handed } = await open();
    const { files } = await client.mount("/repo", { archive });
    workers[0]?.crash();
    await client.listTools();
    assert.deepEqual([files, (await client.mounts()).map((report) => report.files)], [1, [1]]);
    await client.mount("/other", { archive });
    await client.unmount("/repo");
    await client.listTools();
    assert.deepEqual(handed, [
      ["handover", 1],
      ["handover", 1],
      ["handover", 2],
      ["withdraw", 1],
    ]);
  });

  test("is withdrawn if its mount is refused before it is looked at", async () => {
    const error = { kind: "WorkspaceInvalid", message: "'/repo' is mounted already" };
    const { client, archive, handed } = await open({ checkMount: { error } });
    await assert.rejects(client.mount("/repo", { archive }), error);
    await client.listTools();
    assert.deepEqual(handed, [
      ["handover", 1],
      ["withdraw", 1],
    ]);
  });

  test("is released when its mount is abandoned", async () => {
    const { client, archive, handed } = await open();
    const controller = new AbortController();
    const mounting = client.mount("/repo", { archive }, { signal: controller.signal });
    controller.abort("enough");
    await assert.rejects(mounting, (reason) => reason === "enough");
    await client.listTools();
    assert.deepEqual(
      [handed, await client.mounts()],
      [
        [
          ["handover", 1],
          ["withdraw", 1],
        ],
        [],
      ],
    );
  });

  // As a library makes them for runtimes that have no Blobs.
  const imitation = { [Symbol.toStringTag]: "Blob", size: 3 };
  const imitations: [string, object, RegExp | string][] = [
    ["that can be cloned", imitation, MALFORMED.message],
    [
      "that cannot be cloned",
      { ...imitation, text: () => "zip" },
      'The request holds what cannot be sent to a worker: ()=>"zip" could not be cloned.',
    ],
  ];
  for (const [what, archive, message] of imitations) {
    test(`is refused if it is an imitation ${what}, and the next one is mounted`, async () => {
      const { client, archive: real } = await open();
      await assert.rejects(client.mount("/repo", { archive: archive as Blob }), {
        name: "TreeglassError",
        kind: "BadRequest",
        message,
      });
      assert.deepEqual((await client.mount("/repo", { archive: real })).files, 1);
    });
  }
});

/** Resolves with the next message of a type, and of an id if one is given. */
function nextOf(port: MessagePort, type: string | RegExp, id?: number) {
  return new Promise<Readonly<Record<string, unknown>>>((resolve) => {
    port.addEventListener("message", ({ data }) => {
      if (isRecord(data) && String(data.type).match(type) && (id === undefined || data.id === id)) {
        resolve(data);
      }
    });
  });
}

/** Returns how many files a mount has, or why it failed. */
function outcomeOf({ type, result, kind, message }: Readonly<Record<string, unknown>>): object {
  return type === "result" && isRecord(result) ? { files: result.files } : { kind, message };
}
