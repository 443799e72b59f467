import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  memoryOf,
  readSegments,
  without,
  writeSegments,
} from "../../start-image/code/data-section.ts";
import type { KnownTable } from "../../start-image/code/late-tables.ts";
import { splitModule } from "../../start-image/code/split-module.ts";
import { adding, loading, moduleOf, running } from "./modules.ts";

const TABLE_BYTES = 8192;
/** Where the two tables are, with 16 other bytes between them. */
const STARTS = [2048, 2048 + TABLE_BYTES + 16] as const;

/** Fills a table; no byte of it is zero, and the two differ. */
function content(table: number): Uint8Array {
  return Uint8Array.from({ length: TABLE_BYTES }, (_, at) => 1 + ((at * (7 + table)) % 251));
}

const TABLES: KnownTable[] = [0, 1].map((table) => ({
  kind: `table ${table}`,
  begins: Buffer.from(content(table).subarray(0, 16)).toString("hex"),
  ends: Buffer.from(content(table).subarray(-16)).toString("hex"),
  bytes: TABLE_BYTES,
}));
const SEGMENTS = [
  { start: STARTS[0], bytes: content(0) },
  { start: STARTS[0] + TABLE_BYTES, bytes: new Uint8Array(16).fill(9) },
  { start: STARTS[1], bytes: content(1) },
];

/** Splits a module whose functions read at these addresses; only the first function is not late. */
function split(addresses: readonly number[], tables = TABLES, fill = 0) {
  const functions = Object.fromEntries(addresses.map((_, index) => [`read${index}`, index + 1]));
  const bodies = addresses.map(loading);
  return splitModule(
    moduleOf({ bodies, functions, segments: SEGMENTS }),
    (defined) => defined === 0,
    "x.late.wasm",
    { tables, fill },
  );
}

describe("a table", () => {
  test("that only a late function names arrives with the late part", () => {
    const parts = split([STARTS[0], STARTS[1]]);
    const { exports, seen } = running(parts);
    const before = exports.read0?.(TABLE_BYTES + 16 + 300);
    const late = exports.read1?.(300);
    const after = exports.read0?.(TABLE_BYTES + 16 + 300);
    const expected = content(1)[300];
    assert.deepEqual([before, late, after, seen.loads], [0, expected, expected, 1]);
  });

  test("that a function of the first part names stays there", () => {
    const { exports, seen } = running(split([STARTS[0], STARTS[1]]));
    assert.deepEqual([exports.read0?.(5), seen.loads], [content(0)[5], 0]);
  });

  test("stays as far as an address in it may belong to a function of the first part", () => {
    const parts = split([STARTS[0] + 4096, STARTS[1]]);
    // From 512 bytes before the address to the next one that any function names.
    assert.equal(parts.lateTableBytes, 4096 - 512 + TABLE_BYTES);
    const { exports, seen } = running(parts);
    assert.deepEqual([exports.read0?.(4000), seen.loads], [content(0)[8096], 0]);
  });

  test("stays if an address shortly before it may belong to a function of the first part", () => {
    assert.equal(split([STARTS[0] - 500, STARTS[1]]).lateTableBytes, TABLE_BYTES);
  });

  test("stays where it is not as it is known", () => {
    const [first, second] = TABLES.map((table) => ({ ...table, ends: "00".repeat(16) }));
    assert.equal(split([0], [first ?? assert.fail(), second ?? assert.fail()]).lateTableBytes, 0);
  });

  test("has other bytes in its place if tests ask for them", () => {
    const { exports } = running(split([STARTS[0], STARTS[1]], TABLES, 0xaa));
    assert.equal(exports.read0?.(TABLE_BYTES + 16 + 300), 0xaa);
  });
});

test("a module without tables keeps its memory", () => {
  const { first, lateTableBytes } = splitModule(
    moduleOf({ bodies: [adding(1), loading(0)], functions: { read: 2 }, segments: SEGMENTS }),
    () => true,
    "x.late.wasm",
  );
  const { exports } = running({
    first,
    late: first,
    counts: { first: 2, late: 0, stubs: 0 },
    lateTableBytes,
  });
  assert.deepEqual([lateTableBytes, exports.read?.(STARTS[1])], [0, content(1)[0]]);
});

describe("data segments", () => {
  test("are read as they were written", () => {
    assert.deepEqual(readSegments(writeSegments(SEGMENTS)), SEGMENTS);
  });

  test("lose the ranges that are taken out, across segments too", () => {
    const start = STARTS[0] + 100;
    const rest = without(SEGMENTS, [{ start, end: STARTS[1] + 5 }]);
    const expected = memoryOf(SEGMENTS).fill(0, start, STARTS[1] + 5);
    assert.deepEqual(memoryOf(rest), expected);
    assert.deepEqual(
      rest.map((segment) => [segment.start, segment.bytes.length]),
      [
        [STARTS[0], 100],
        [STARTS[1] + 5, TABLE_BYTES - 5],
      ],
    );
  });

  test("of a form that no module here has are refused", () => {
    assert.throws(() => readSegments(Uint8Array.of(1, 0, 0x23, 0, 0x0b, 0)), {
      message: "a data segment of the form 0 35 is not expected",
    });
  });
});
