import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { asItIs, creatingModule } from "../../src/worker/start/patches/code.ts";
import type { CreateModule } from "../../src/worker/start/patches/pyodide-types.ts";
import { answeringFetch } from "../../src/worker/start/pyodide-modules.ts";

const ADDRESS = "https://example.test/held";
const answer = async (address: string) => (address === ADDRESS ? new Response("held") : null);

describe("a patched fetch", () => {
  test("answers what it has, and leaves the rest to the network", async (context) => {
    const network: typeof fetch = async (input) => new Response(`network: ${input}`);
    context.mock.method(globalThis, "fetch", network);
    const texts = await answeringFetch(answer, () =>
      Promise.all(
        [ADDRESS, "https://example.test/other"].map(async (a) => (await fetch(a)).text()),
      ),
    );
    assert.deepEqual(texts, ["held", "network: https://example.test/other"]);
  });

  test("is put back when its work ends or fails", async () => {
    const { fetch } = globalThis;
    await answeringFetch(answer, async () => undefined);
    assert.equal(globalThis.fetch, fetch);
    const failing = answeringFetch(answer, () => Promise.reject(new Error("no start")));
    await assert.rejects(failing, { message: "no start" });
    assert.equal(globalThis.fetch, fetch);
  });

  test("is put back when its work is given up, and not again when the work ends late", async () => {
    const { fetch } = globalThis;
    const giveUp = new AbortController();
    let end: () => void = () => undefined;
    const hanging = new Promise<void>((resolve) => {
      end = resolve;
    });
    const first = answeringFetch(answer, () => hanging, giveUp.signal);
    giveUp.abort();
    assert.equal(globalThis.fetch, fetch);
    await answeringFetch(answer, async () => {
      const second = globalThis.fetch;
      end();
      await first;
      assert.equal(globalThis.fetch, second);
    });
    assert.equal(globalThis.fetch, fetch);
  });
});

describe("a module that is created from the packages", () => {
  /** Emscripten's part: it waits until the hook has an instance, and ignores what the hook throws. */
  const createModule: CreateModule = (settings) =>
    new Promise((resolve) => {
      settings.instantiateWasm?.({ env: {} }, () => resolve(settings as never));
    });

  test("is never ready if its code cannot be instantiated, and so its creation rejects", async () => {
    const create = creatingModule(createModule, Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8), asItIs);
    await assert.rejects(create({ preRun: [] }), WebAssembly.CompileError);
  });

  test("is created once its code is instantiated", async () => {
    const code = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
    const create = creatingModule(createModule, code, asItIs);
    const settings = { preRun: [] };
    assert.equal(await create(settings), settings);
  });
});
