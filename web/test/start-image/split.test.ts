import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { asItIs } from "../../src/worker/start/patches/code.ts";
import { instrumentModule, notedFunctions } from "../../start-image/code/instrument-module.ts";
import { readRanges, withoutShare } from "../../start-image/code/profile.ts";
import { splitModule } from "../../start-image/code/split-module.ts";
import { readModule } from "../../start-image/code/wasm-module.ts";
import {
  adding,
  CALLING_THE_TABLE,
  type Exports,
  IMPORTS,
  moduleOf,
  reading,
  running,
} from "./modules.ts";

/** Function 1 calls the late 2, which calls the hot 3 and the imported 0; 4 and 5 are in the table. */
const WHOLE = moduleOf({
  bodies: [
    adding(1, 2),
    adding(10, 3, 0),
    adding(20),
    adding(30),
    adding(40, 6),
    reading(0),
    CALLING_THE_TABLE,
    adding(50),
  ],
  functions: { sum: 1, direct: 2, call: 7 },
  globals: { seven: 0 },
  table: [5, 4],
});
const HOT = [0, 2, 3, 6];

describe("a split module", () => {
  const split = splitModule(WHOLE, (defined) => HOT.includes(defined), "x.late.wasm");

  test("answers as the whole one, by exports and by its table", () => {
    const whole = new WebAssembly.Instance(new WebAssembly.Module(WHOLE), IMPORTS);
    const answers = ({ sum, direct, call }: Exports) => [
      sum?.(1),
      direct?.(2),
      call?.(0),
      call?.(1),
    ];
    assert.deepEqual(answers(running(split).exports), answers(whole.exports as Exports));
    assert.deepEqual(answers(whole.exports as Exports), [64, 64, 7, 130]);
  });

  test("loads its late part once, and not before a function of it is called", () => {
    const { exports, seen } = running(split);
    exports.call?.(1);
    const before = seen.loads;
    exports.sum?.(1);
    exports.direct?.(1);
    exports.call?.(0);
    assert.deepEqual([before, seen.loads], [0, 1]);
  });

  test("tries again after its late part could not be loaded", () => {
    const load = () => {
      throw new Error("not there");
    };
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(split.first), {
      ...IMPORTS,
      "~": { load },
    });
    for (let calls = 0; calls < 2; calls += 1) {
      assert.throws(() => (exports as Exports).sum?.(1), { message: "not there" });
    }
  });

  test("keeps the functions of its table in their places", () => {
    const { elements } = readModule(split.first);
    assert.deepEqual(
      elements.map(({ functions }) => functions.length),
      [2],
    );
  });

  test("has no function that nothing can call", () => {
    assert.deepEqual(split.counts, { first: 4, late: 3, stubs: 2 });
    // With the stubs, and the function that loads the late part.
    assert.equal(readModule(split.first).bodies.length, 7);
  });

  test("names its late part", () => {
    const [name = new ArrayBuffer()] = WebAssembly.Module.customSections(
      new WebAssembly.Module(split.first),
      "treeglass.late",
    );
    assert.equal(new TextDecoder().decode(name), "x.late.wasm");
  });
});

test("an instrumented module tells which of its functions have run", () => {
  const { exports } = new WebAssembly.Instance(
    new WebAssembly.Module(instrumentModule(WHOLE)),
    IMPORTS,
  );
  const notes = () => [(exports["~0"] as WebAssembly.Global).value];
  const before = notedFunctions(notes());
  (exports as Exports).sum?.(1);
  assert.deepEqual([before, notedFunctions(notes())], [[], [0, 1, 2]]);
});

test("a whole module is linked as it is", () => {
  const imports = { env: {} };
  const linked = asItIs(new WebAssembly.Module(WHOLE), imports);
  assert.equal(linked.imports, imports);
});

describe("a profile", () => {
  test("is read from ranges", () => {
    assert.deepEqual([...readRanges("0-2 7\n9-9")], [0, 1, 2, 7, 9]);
    assert.throws(() => readRanges("5-3"), {
      message: "the profile has a malformed range: 5-3",
    });
  });

  test("loses the same share of its functions for the same seed", () => {
    const all = readRanges("0-999");
    const [once, again, other] = [1, 1, 2].map((seed) => withoutShare(all, 0.3, seed));
    assert.deepEqual(once, again);
    assert.notDeepEqual(once, other);
    assert.equal(once?.size, 700);
  });
});
