import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { estimateTokens } from "../../src/adapters/output-profile.ts";
import { type CallEvent, createToolset } from "../../src/adapters/toolset.ts";
import { startRealClient } from "../support/real-client.ts";
import { withReports } from "../support/reported-faults.ts";
import { ENTRIES, LISTING, recorded } from "../support/toolsets.ts";

/** An event without the members that differ from run to run. */
function untimed(event: CallEvent): CallEvent {
  assert.ok(event.elapsedMs >= 0);
  return {
    ...event,
    elapsedMs: 0,
    result: event.result === null ? null : { ...event.result, elapsedMs: 0 },
  };
}

const client = await startRealClient(ENTRIES);
await client.mount("/many", {
  entries: Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`file-${n}`, ""])),
});
after(() => client.close());

describe("a toolset over the shipped tools", () => {
  test("the offered tools have their own names and definitions", async () => {
    const toolset = await createToolset(client);
    assert.deepEqual(toolset.tools, await client.listTools());
    assert.deepEqual(await toolset.describe("mcp"), toolset.tools);
  });

  test("a toolset and its client are not tagged Object, so Vue puts no proxy before them", async () => {
    const tags = [client, await createToolset(client)].map((one) => String(one));
    assert.deepEqual(tags, ["[object TreeglassClient]", "[object Toolset]"]);
  });

  test("every call is reported whole, with the host's id and names", async () => {
    const [toolset, events] = await recorded(client, { prefix: "repo_" });
    const outcome = await toolset.call("repo_list_dir", '{"dir_path":"/repo"}', { callId: "c1" });
    assert.equal(outcome.text, LISTING);
    assert.deepEqual(events.map(untimed), [
      {
        name: "repo_list_dir",
        tool: "list_dir",
        callId: "c1",
        arguments: '{"dir_path":"/repo"}',
        outcome: "answered",
        text: LISTING,
        isError: false,
        truncated: false,
        sizeBytes: LISTING.length,
        estimatedTokens: estimateTokens(LISTING),
        elapsedMs: 0,
        result: {
          content: LISTING,
          structuredContent: null,
          isError: false,
          error: null,
          truncated: false,
          nextArguments: null,
          warnings: [],
          elapsedMs: 0,
        },
      },
    ]);
  });

  test("a call of an unknown tool is told the names of the tools", async () => {
    const [toolset, events] = await recorded(client, { allow: ["LS", "read_file"] });
    const text = 'There is no tool "list_dir"; the tools are: LS, read_file.';
    const refused = { text, isError: true, result: null };
    assert.deepEqual(await toolset.call("list_dir", {}), refused);
    assert.deepEqual(events.map(untimed), [
      {
        name: "list_dir",
        tool: null,
        callId: null,
        arguments: {},
        outcome: "unknown",
        ...refused,
        truncated: false,
        sizeBytes: text.length,
        estimatedTokens: estimateTokens(text),
        elapsedMs: 0,
      },
    ]);
    const long = await toolset.call("x".repeat(100_000), {});
    assert.equal(long.text, `There is no tool "${"x".repeat(100)}"; the tools are: LS, read_file.`);
  });

  test("an empty text means no arguments", async () => {
    const toolset = await createToolset(client);
    const entries = async (args: unknown) =>
      (await toolset.call("LS", args)).result?.structuredContent?.data;
    const whole = await entries({ path: "." });
    for (const args of [undefined, null, "", "{}"]) {
      assert.deepEqual(await entries(args), whole);
    }
  });

  test("the tool itself refuses arguments that are not an object", async () => {
    const [toolset, events] = await recorded(client);
    const sent = ['{"dir_path": "/re', "[1]", [1], 7, true, { dir_path: 7 }];
    const told = [];
    for (const args of sent) {
      const { text, isError } = await toolset.call("list_dir", args);
      assert.equal(isError, true);
      told.push(text);
    }
    const noObject = "failed to parse function arguments: the arguments must be a JSON object";
    assert.deepEqual(told, [
      "failed to parse function arguments: the arguments are not valid JSON: " +
        "Unterminated string starting at: line 1 column 14 (char 13)",
      noObject,
      noObject,
      noObject,
      noObject,
      "failed to parse function arguments: `dir_path` must be a string, not 7; " +
        'expected for example {"dir_path": "/repo", "offset": 1, "limit": 25, "depth": 2}',
    ]);
    assert.deepEqual(
      events.map(({ outcome, arguments: args }) => [outcome, args]),
      sent.map((args) => ["answered", args]),
    );
  });

  test("arguments that JSON cannot hold are an outcome too, and are reported", async () => {
    const reports = await withReports(async () => {
      const toolset = await createToolset(client);
      assert.deepEqual(await toolset.call("LS", { path: 1n }), {
        text: "LS could not be called; try it once more.",
        isError: true,
        result: null,
      });
    });
    assert.deepEqual(
      reports.map((error) => error instanceof TypeError),
      [true],
    );
  });

  test("the tool itself answers for an unmounted tree", async () => {
    await client.mount("/gone", { entries: { "a.txt": "" } });
    const toolset = await createToolset(client);
    assert.equal((await toolset.call("list_dir", { dir_path: "/gone" })).isError, false);
    await client.unmount("/gone");
    const { text, isError } = await toolset.call("list_dir", { dir_path: "/gone" });
    assert.deepEqual(
      [text, isError],
      ["failed to read directory: No such file or directory (os error 2)", true],
    );
  });

  test("relative paths start at the configured workingDir", async () => {
    const toolset = await createToolset(client, { workingDir: "/repo/src" });
    const { result } = await toolset.call("LS", {});
    assert.deepEqual(result?.structuredContent?.data, {
      entries: [{ path: "repo/src/main.py", type: "file" }],
      truncated: false,
    });
  });

  test("a call that runs too long is stopped, and the model reads that it should ask for less", async () => {
    const [toolset, events] = await recorded(client, { timeoutMs: 1 });
    const outcome = await toolset.call("list_dir", { dir_path: "/many", limit: 20_000 });
    assert.deepEqual(outcome, {
      text: "list_dir ran for too long and was stopped; ask for less at once.",
      isError: true,
      result: null,
    });
    assert.deepEqual(
      events.map(({ outcome: kind }) => kind),
      ["failed"],
    );
    const unhurried = await createToolset(client);
    assert.equal((await unhurried.call("list_dir", { dir_path: "/repo" })).text, LISTING);
  });

  test("an abort in the middle rejects with its reason, and is reported", async () => {
    const [toolset, events] = await recorded(client);
    const controller = new AbortController();
    const options = { signal: controller.signal, callId: "c9" };
    const call = toolset.call("list_dir", { dir_path: "/many", limit: 20_000 }, options);
    const reason = new Error("The person pressed stop.");
    setImmediate(() => controller.abort(reason));
    await assert.rejects(call, reason);
    await assert.rejects(toolset.call("nothing", {}, options), reason);
    const aborted = {
      callId: "c9",
      outcome: "aborted",
      text: "",
      isError: true,
      truncated: false,
      sizeBytes: 0,
      estimatedTokens: 0,
      elapsedMs: 0,
      result: null,
    };
    assert.deepEqual(events.map(untimed), [
      {
        ...aborted,
        name: "list_dir",
        tool: "list_dir",
        arguments: { dir_path: "/many", limit: 20_000 },
      },
      { ...aborted, name: "nothing", tool: null, arguments: {} },
    ]);
    assert.equal((await toolset.call("list_dir", { dir_path: "/repo" })).text, LISTING);
  });

  test("a log that throws changes no answer, and is reported", async () => {
    const fault = new Error("the log is full");
    const reports = await withReports(async () => {
      const toolset = await createToolset(client, {
        onCall: () => {
          throw fault;
        },
      });
      assert.equal((await toolset.call("list_dir", { dir_path: "/repo" })).text, LISTING);
      const aborted = { signal: AbortSignal.abort(new Error("stop")) };
      await assert.rejects(toolset.call("LS", {}, aborted), { message: "stop" });
    });
    assert.deepEqual(reports, [fault, fault]);
  });

  test("the model learns that the client is closed, with and without approval", async () => {
    const closed = await startRealClient(ENTRIES);
    const plain = await createToolset(closed);
    const asking = await createToolset(closed, { approve: () => true });
    await closed.close();
    for (const toolset of [plain, asking]) {
      assert.deepEqual(await toolset.call("LS", {}), {
        text: "The tools were closed; no call can be made any more.",
        isError: true,
        result: null,
      });
    }
    await assert.rejects(plain.describe("openai"), { name: "Closed" });
    await assert.rejects(createToolset(closed), { name: "Closed" });
  });
});
