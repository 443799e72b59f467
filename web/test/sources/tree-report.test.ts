import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TreeReport } from "../../src/sources/tree.ts";

describe("the paths of a report", () => {
  test("are whole up to 8,192 characters, and then cut", () => {
    const report = new TreeReport();
    report.rename("a".repeat(8192), "a".repeat(8193), "why");
    assert.deepEqual(report.renamed, [
      { from: "a".repeat(8192), to: `${"a".repeat(8192)}…`, reason: "why" },
    ]);
  });

  test("are cut shorter once there are 16 Mi characters of them", () => {
    const report = new TreeReport();
    for (let index = 0; index < 2048; index += 1) {
      report.skip("a".repeat(9000), "why");
    }
    report.convert("b".repeat(300), "c".repeat(256));
    assert.deepEqual(report.converted, [{ path: `${"b".repeat(256)}…`, reason: "c".repeat(256) }]);
  });
});
