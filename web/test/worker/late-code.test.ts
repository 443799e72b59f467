import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import { type Bridge, InterpreterFailed, LateCodeMissing } from "../../src/worker/bridge.ts";
import { askBridge } from "../../src/worker/bridge-client.ts";
import { LateCode } from "../../src/worker/start/late-files.ts";
import { splitModule } from "../../start-image/code/split-module.ts";
import { adding, type Exports, IMPORTS, moduleOf } from "../start-image/modules.ts";
import { FOLDERS, workerHostWith } from "../support/hosts.ts";

const SPLIT = splitModule(
  moduleOf({ bodies: [adding(1, 2), adding(10)], functions: { sum: 1 } }),
  (defined) => defined === 0,
  "x.late.wasm",
);
const ADDRESS = `${FOLDERS.assets}x.late.wasm`;
const FILES = {
  ...FOLDERS,
  files: { [ADDRESS]: `sha256-${createHash("sha256").update(SPLIT.late).digest("base64")}` },
};

/** Returns a late part's loader, and the first part's exports; `read` reads the file without a wait. */
function started(read: () => Uint8Array<ArrayBuffer>) {
  const host = workerHostWith({
    readAsset: async () => read(),
    readAssetNow: () => read(),
  });
  const lateCode = new LateCode(host, FILES);
  const code = new WebAssembly.Module(SPLIT.first);
  const linked = lateCode.link(code, IMPORTS);
  const instance = linked.finish(new WebAssembly.Instance(code, linked.imports));
  return { lateCode, exports: instance.exports as Exports };
}

describe("late code", () => {
  test("is read at once by the call that needs it, and once only", () => {
    let reads = 0;
    const { exports } = started(() => {
      reads += 1;
      return SPLIT.late;
    });
    assert.deepEqual([exports.sum?.(1), exports.sum?.(2), reads], [12, 13, 1]);
  });

  test("is not read by a call after it was fetched in the background", async () => {
    let reads = 0;
    const { lateCode, exports } = started(() => {
      reads += 1;
      return SPLIT.late;
    });
    await lateCode.fetch();
    await lateCode.fetch();
    const before = reads;
    assert.deepEqual([exports.sum?.(1), before, reads], [12, 1, 1]);
  });

  test("is hidden from Emscripten", () => {
    assert.deepEqual(Object.keys(started(() => SPLIT.late).exports), ["sum", "table"]);
  });

  const changed = SPLIT.late.map((byte, index) => (index === 20 ? byte ^ 1 : byte));
  const faults: [string, () => Uint8Array<ArrayBuffer>, string][] = [
    [
      "missing",
      () => {
        throw new Error("404");
      },
      "x.late.wasm could not be fetched",
    ],
    ["damaged", () => changed, "x.late.wasm is not the file that start.json names"],
  ];
  for (const [way, read, message] of faults) {
    test(`that is ${way} does not run, and the error names its file`, async () => {
      const { lateCode, exports } = started(read);
      await lateCode.fetch();
      const fault = { message, sentence: `no assets in ${FOLDERS.assets}: ${message}` };
      assert.throws(() => exports.sum?.(1), fault);
      await assert.rejects(lateCode.missing, fault);
    });
  }

  test("that comes back serves the next call", () => {
    const reads = [
      () => {
        throw new Error("offline");
      },
      () => SPLIT.late,
    ];
    const { exports } = started(() => (reads.shift() ?? (() => SPLIT.late))());
    assert.throws(() => exports.sum?.(1), LateCodeMissing);
    assert.equal(exports.sum?.(1), 12);
  });

  test("that start.json does not name ends the start", () => {
    const lateCode = new LateCode(workerHostWith(), FOLDERS);
    assert.throws(() => lateCode.link(new WebAssembly.Module(SPLIT.first), IMPORTS), {
      name: "StartFailed",
      message: `no assets in ${FOLDERS.assets}: start.json does not name x.late.wasm`,
    });
  });

  test("that is missing ends the interpreter, with a sentence for the caller", () => {
    const bridge: Bridge = () => {
      throw new LateCodeMissing("x could not be fetched", "Serve x.", null);
    };
    assert.throws(
      () => askBridge(bridge, "listTools", {}),
      (error) => error instanceof InterpreterFailed && error.message === "Serve x.",
    );
  });
});
