import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { referencesOf, renumbered } from "../../start-image/code/instructions.ts";
import { trimGlue, wordsOf } from "../../start-image/code/trim-glue.ts";
import { trimModule } from "../../start-image/code/trim-module.ts";
import { readModule, writeModule } from "../../start-image/code/wasm-module.ts";
import { adding, CALLING_THE_TABLE, type Exports, IMPORTS, moduleOf, reading } from "./modules.ts";

const PYODIDE = readFileSync(
  new URL("../../node_modules/pyodide/pyodide.asm.wasm", import.meta.url),
);

describe("a module", () => {
  test("is read and written without a change", () => {
    const { sections } = readModule(PYODIDE);
    assert.equal(Buffer.compare(writeModule(sections, new Map()), PYODIDE), 0);
  });

  test("has no instruction that is not understood", () => {
    const { bodies } = readModule(PYODIDE);
    const changed = bodies.filter(
      (body) =>
        Buffer.compare(
          renumbered(body, (_, index) => index),
          body,
        ) !== 0,
    );
    assert.ok(bodies.length > 10_000);
    assert.deepEqual(changed, []);
  });

  test("refers to functions and globals by their numbers", () => {
    const found = [...referencesOf(adding(1, 300)), ...referencesOf(reading(2))];
    assert.deepEqual(
      found.map(({ space, index }) => [space, index]),
      [
        ["function", 300],
        ["global", 2],
      ],
    );
  });
});

describe("a trimmed module", () => {
  const whole = moduleOf({
    numbers: ["unread"],
    bodies: [adding(1, 2), adding(10), adding(20), adding(30, 0), CALLING_THE_TABLE, reading(0)],
    functions: { add11: 1, add30: 4, dropped: 3, call: 5, alsoDropped: 6 },
    globals: { seven: 1 },
    table: [4, 2],
  });
  const needed = ["add11", "call"];
  const trimmed = trimModule(whole, (name) => needed.includes(name));

  test("exports what is needed, and its tables", () => {
    const module = new WebAssembly.Module(trimmed);
    const exported = WebAssembly.Module.exports(module).map(({ name }) => name);
    assert.deepEqual(exported, ["add11", "call", "table"]);
    assert.deepEqual(
      WebAssembly.Module.imports(module).map(({ name }) => name),
      ["twice"],
    );
  });

  test("answers as before, by exports and by the table", () => {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(trimmed), IMPORTS);
    const { add11, call } = exports as Exports;
    assert.deepEqual([add11?.(1), call?.(0), call?.(1)], [12, 260, 110]);
  });

  test("traps in the place of a function that can no longer be called", () => {
    const { bodies } = readModule(trimmed);
    assert.deepEqual(
      bodies.map((body) => body.length === 3),
      [false, false, true, false, false, true],
    );
  });

  test("keeps the number of a JavaScript function that a function reads", () => {
    const reads = trimModule(
      moduleOf({
        numbers: ["unread", "read"],
        bodies: [reading(0), reading(1)],
        functions: { kept: 2 },
      }),
      (name) => name === "kept",
    );
    const module = new WebAssembly.Module(reads);
    const read = new WebAssembly.Global({ value: "i32", mutable: true }, 42);
    const { exports } = new WebAssembly.Instance(module, { ...IMPORTS, "GOT.func": { read } });
    const { kept } = exports as Exports;
    assert.deepEqual(
      [WebAssembly.Module.imports(module).map(({ name }) => name), kept?.(0)],
      [["twice", "read"], 42],
    );
  });
});

describe("trimmed glue", () => {
  const glue = [
    'var _a,_b,wasmTable;function assignWasmExports(wasmExports){_a=Module["_a"]=wasmExports["a"];',
    '_b=wasmExports["b"].value>>>0;wasmTable=wasmExports["table"]}',
    "var wasmImports={c:_c,d,e:_e};",
    'var _c=()=>1;_c.sig="i";var d=()=>2;var _e=()=>3;_e.sig="i";run(_a)',
  ].join("");

  test("names only the exports and imports that are left", () => {
    const kept = ["a", "table"];
    assert.equal(
      trimGlue(
        glue,
        (name) => kept.includes(name),
        (name) => name === "c",
      ),
      [
        'var _a,wasmTable;function assignWasmExports(wasmExports){_a=Module["_a"]=wasmExports["a"];',
        'wasmTable=wasmExports["table"]}',
        "var wasmImports={c:_c};",
        'var _c=()=>1;_c.sig="i";var d=()=>2;var _e=()=>3;run(_a)',
      ].join(""),
    );
  });

  test("is not made of a script in another form", () => {
    assert.throws(() => trimGlue("run()", Boolean, Boolean), {
      message: "the glue does not name exports as expected: run()",
    });
  });

  test("does not count its lists of exports as uses", () => {
    assert.deepEqual(
      ["_a", "_b", "_c", "run"].map((word) => wordsOf(glue).has(word)),
      [true, false, true, true],
    );
  });
});
