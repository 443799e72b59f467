import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { sha256 } from "../../src/lib/sha256.ts";

test("a hash is that of the platform, at each length around a block", () => {
  const lengths = [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 100_000];
  const texts = lengths.map((length) => Uint8Array.from({ length }, (_, index) => index * 7));
  assert.deepEqual(
    texts.map((text) => Buffer.from(sha256(text)).toString("hex")),
    texts.map((text) => createHash("sha256").update(text).digest("hex")),
  );
});
