import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ReportedPaths } from "../../src/sources/reported-paths.ts";

describe("the paths of a report", () => {
  test("are whole up to 8,192 characters, and then cut", () => {
    const reported = new ReportedPaths();
    assert.equal(reported.show("a".repeat(8192)), "a".repeat(8192));
    assert.equal(reported.show("a".repeat(8193)), `${"a".repeat(8192)}…`);
  });

  test("are cut shorter once there are 16 Mi characters of them", () => {
    const reported = new ReportedPaths();
    for (let index = 0; index < 2048; index += 1) {
      reported.show("a".repeat(9000));
    }
    assert.deepEqual(
      [reported.show("b".repeat(300)), reported.show("c".repeat(256))],
      [`${"b".repeat(256)}…`, "c".repeat(256)],
    );
  });
});
