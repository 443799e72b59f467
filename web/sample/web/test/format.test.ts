import assert from "node:assert/strict";
import { test } from "node:test";
import { formatAmount } from "../src/format.ts";

test("pieces have no unit", () => {
  assert.equal(formatAmount(10, "piece"), "10");
});
