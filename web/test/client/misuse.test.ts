import assert from "node:assert/strict";
import test from "node:test";
import type { TreeglassClient } from "../../src/client/client.ts";
import { connected, DEFINITION } from "../support/connected.ts";

const circular: Record<string, unknown> = {};
circular.self = circular;
const limits =
  "the known ones are maxEntries, maxTotalBytes, maxFileBytes, maxDepth, maxNameBytes, maxPathBytes, maxCompressionRatio.";
const cannotBeJson = /^The arguments cannot be JSON: Converting circular structure to JSON\n/;
type Misuse = [string, (client: TreeglassClient) => Promise<unknown>, string, string | RegExp];
const misuses: Misuse[] = [
  [
    "a relative mount path",
    (c) => c.mount("repo", { entries: {} }),
    "WorkspaceInvalid",
    "The mount path \"repo\" is not absolute; use a path such as '/repo'.",
  ],
  [
    "a relative working directory",
    (c) => c.callTool("x", {}, { workingDir: "src" }),
    "WorkspaceInvalid",
    "The workingDir \"src\" is not absolute; use a path such as '/repo'.",
  ],
  [
    "a working directory that is no text",
    (c) => c.callTool("x", {}, Object.fromEntries([["workingDir", 7]])),
    "WorkspaceInvalid",
    "The workingDir 7 is not absolute; use a path such as '/repo'.",
  ],
  [
    "a limit below 0",
    (c) => c.mount("/r", { entries: {} }, { limits: { maxDepth: -1 } }),
    "BadRequest",
    "The limit maxDepth is a whole number from 0 on.",
  ],
  [
    "an unknown limit",
    (c) => c.mount("/r", { entries: {} }, { limits: Object.fromEntries([["maxFiles", 1]]) }),
    "BadRequest",
    `A mount has no limit maxFiles; ${limits}`,
  ],
  [
    "a list of limits",
    (c) => c.mount("/r", { entries: {} }, JSON.parse('{"limits": [1]}')),
    "BadRequest",
    `The limits of a mount are an object; ${limits}`,
  ],
  [
    "a budget that is no number",
    (c) => c.callTool("x", {}, { maxOutputBytes: Number.NaN }),
    "BadRequest",
    "The option maxOutputBytes is a whole number of bytes from 0 on.",
  ],
  ...["callTool", "prepareCall"].map(
    (method): Misuse => [
      `a text for a choice of ${method}`,
      (c) => Reflect.apply(Reflect.get(c, method), c, ["x", {}, { nullsAreAbsent: "yes" }]),
      "BadRequest",
      "The option nullsAreAbsent is true or false.",
    ],
  ),
  ["circular arguments", (c) => c.callTool("x", circular), "BadRequest", cannotBeJson],
  [
    "a circular configuration",
    (c) => c.configure(circular),
    "BadRequest",
    /^The request cannot be JSON: Converting circular structure to JSON\n/,
  ],
  [
    "a tool without a name",
    (c) => c.callTool(JSON.parse("null"), {}),
    "BadRequest",
    "The name of a tool is a text.",
  ],
  [
    "an unknown option",
    (c) => c.callTool("x", {}, Object.fromEntries([["timeout", 5]])),
    "BadRequest",
    "callTool has no option timeout; the known ones are availableCapacityBytes, group, maxOutputBytes, nullsAreAbsent, onProgress, signal, timeMs, timeoutMs, workingDir.",
  ],
  [
    "no time at all for a call",
    (c) => c.callTool("x", {}, { timeoutMs: 0 }),
    "BadRequest",
    "The option timeoutMs is a number of milliseconds above 0; Infinity sets no limit.",
  ],
  [
    "an entry that cannot be cloned",
    (c) => c.mount("/r", { entries: Object.assign(JSON.parse("{}"), { a: Symbol() }) }),
    "BadRequest",
    /^The request holds what cannot be sent to a worker: .* could not be cloned\.$/s,
  ],
];
for (const [what, misuse, name, message] of misuses) {
  test(`${what} rejects with ${name}, and the client goes on`, async () => {
    const { client } = await connected();
    await assert.rejects(misuse(client), { name, message });
    assert.deepEqual(await client.listTools(), [DEFINITION]);
    client.close();
  });
}
