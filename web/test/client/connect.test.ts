import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { after, before, beforeEach, describe, test } from "node:test";
import { preload } from "../../src/hosts/page/preload.ts";
import { connect } from "../../src/index.ts";

const ASSETS = "https://example.test/assets/";

/** A worker that sends the messages of a test; Node has no worker of this shape. */
class SilentWorker extends EventTarget {
  static last: SilentWorker | null = null;
  isTerminated = false;

  constructor() {
    super();
    SilentWorker.last = this;
  }

  postMessage(): void {}

  terminate(): void {
    this.isTerminated = true;
  }
}

function countTimers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
}

describe("outside of a browser", () => {
  const refusal = {
    name: "StartFailed",
    message:
      "This client runs in web pages and in their workers, and this program is neither; under Node, Deno, Bun or workerd, import connect from treeglass/edge.",
  };

  for (const options of [{}, { assets: ASSETS }]) {
    test(`connect(${JSON.stringify(options)}) and preload say what to import`, async () => {
      await assert.rejects(connect(options), refusal);
      await assert.rejects(preload(options), refusal);
    });
  }

  test("a shared connect says so too", async () => {
    await assert.rejects(connect({ shared: true }), refusal);
  });

  test("preload refuses an option of connect by name", async () => {
    const options: object = { shared: true };
    await assert.rejects(preload(options), {
      name: "BadRequest",
      message: "preload has no option shared; the known ones are assets.",
    });
  });

  for (const [what, options, message] of [
    [
      "an unknown option",
      { exclude: [] },
      "connect has no option exclude; the known ones are assets, config, family, onChanges, " +
        "onProgress, projectRoot, shared, signal, state, workingDir.",
    ],
    [
      "a controller in the place of its signal",
      { signal: new AbortController() },
      "The option signal is an AbortSignal, such as the signal of an AbortController.",
    ],
    ["a number as address", { assets: 1 }, "The option assets is a text or a URL."],
    ["a text as its state", { state: "dGV4dA==" }, "The option state is the bytes of saveState."],
    ["a text as yes", { shared: "yes" }, "The option shared is true or false."],
  ] as const) {
    test(`${what} is refused before anything starts`, async () => {
      // A program without types can pass anything.
      const given: object = options;
      await assert.rejects(connect(given), { name: "BadRequest", message });
    });
  }
});

describe("connecting", () => {
  const globals = Object.getOwnPropertyDescriptors(globalThis);
  before(() => {
    for (const [name, value] of Object.entries({
      Worker: SilentWorker,
      location: { href: ASSETS },
      origin: new URL(ASSETS).origin,
      fetch: () => new Promise(() => undefined),
    })) {
      Object.defineProperty(globalThis, name, { value, configurable: true });
    }
  });
  after(() => {
    for (const name of ["Worker", "location", "origin", "fetch"] as const) {
      Reflect.deleteProperty(globalThis, name);
      const former = globals[name];
      if (former !== undefined) {
        Object.defineProperty(globalThis, name, former);
      }
    }
  });
  beforeEach(() => {
    SilentWorker.last = null;
  });

  /** Returns what a connect leaves behind: timers, listeners on the caller's signal, a worker. */
  function remains(signal: AbortSignal, timers: number): unknown {
    return {
      timers: countTimers() - timers,
      listeners: getEventListeners(signal, "abort").length,
      isTerminated: SilentWorker.last?.isTerminated,
    };
  }

  const nothing = { timers: 0, listeners: 0, isTerminated: true };

  test("leaves nothing behind when it is aborted before the worker speaks", async () => {
    const timers = countTimers();
    const controller = new AbortController();
    const client = connect({ assets: ASSETS, signal: controller.signal });
    assert.equal(countTimers() - timers, 1);
    controller.abort("enough");
    await assert.rejects(client, (reason) => reason === "enough");
    assert.deepEqual(remains(controller.signal, timers), nothing);
  });

  test("leaves nothing behind when the worker fails before it speaks", async () => {
    const timers = countTimers();
    const { signal } = new AbortController();
    const client = connect({ assets: ASSETS, signal });
    SilentWorker.last?.dispatchEvent(new Event("error"));
    await assert.rejects(client, {
      name: "StartFailed",
      message: `The worker did not start from ${ASSETS}worker.js. Run npx treeglass assets public/treeglass, and pass its address as connect({ assets: '/treeglass/' }); or serve it there for a browser with module workers.`,
    });
    assert.deepEqual(remains(signal, timers), nothing);
  });

  test("asks for the assets' address where a bundler left the module's path in the page", async () => {
    const refusal = {
      name: "StartFailed",
      message:
        "connect() does not know where this page's assets are, because a bundler put the client into its own file. Run npx treeglass assets public/treeglass, and pass its address as connect({ assets: '/treeglass/' }).",
    };
    await assert.rejects(connect(), refusal);
    await assert.rejects(preload(), refusal);
    assert.equal(SilentWorker.last, null);
  });

  for (const name of ["projectRoot", "workingDir"]) {
    test(`a ${name} that is not absolute is refused by name, and no worker is started`, async () => {
      await assert.rejects(connect({ assets: ASSETS, [name]: "src" }), {
        name: "WorkspaceInvalid",
        message: `The ${name} "src" is not absolute; use a path such as '/repo'.`,
      });
      assert.equal(SilentWorker.last, null);
    });
  }
});
