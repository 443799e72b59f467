import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { ProposedCall } from "../../src/adapters/approval.ts";
import { createToolset } from "../../src/adapters/toolset.ts";
import type { ToolClient } from "../../src/adapters/toolset-types.ts";
import { TreeglassError } from "../../src/protocol/errors.ts";
import { startRealClient } from "../support/real-client.ts";
import { withReports } from "../support/reported-faults.ts";
import { ENTRIES, recorded } from "../support/toolsets.ts";

const client = await startRealClient(ENTRIES);
after(() => client.close());

describe("a toolset that asks for approval", () => {
  const DENIED = {
    text: "The call was not approved: List directory /repo. Go on without it, or ask for something else.",
    isError: true,
    result: null,
  };

  test("the approved arguments run, even if the host changes its object meanwhile", async () => {
    const args = { file_path: "/repo/README.md" };
    const toolset = await createToolset(client, {
      approve: async () => {
        args.file_path = "/repo/src/main.py";
        return true;
      },
    });
    assert.equal((await toolset.call("read_file", args)).text, "L1: # Sample");
  });

  test("the question has the tool's own summary without secrets", async () => {
    const asked: ProposedCall[] = [];
    const toolset = await createToolset(client, {
      prefix: "repo_",
      approve: (call) => {
        asked.push(call);
        return true;
      },
    });
    const args = { dir_path: "/repo/dir with token=abc123" };
    const { isError } = await toolset.call("repo_list_dir", args, { callId: "c1" });
    assert.equal(isError, false);
    const listed = await client.listTools();
    const definition = listed.find(({ name }) => name === "list_dir");
    assert.deepEqual(asked, [
      {
        name: "repo_list_dir",
        definition,
        summary: "List directory /repo/dir with token=[redacted]",
        arguments: JSON.stringify(args),
        callId: "c1",
        signal: undefined,
      },
    ]);
  });

  for (const [what, approve] of [
    ["a no", () => false],
    ["a later no", async () => false],
    // A page without types can answer anything.
    ["a truthy answer that is not true", () => Object("yes")],
  ] as const) {
    test(`${what} denies the call, and nothing runs`, async () => {
      const [toolset, events] = await recorded(client, { approve });
      assert.deepEqual(await toolset.call("list_dir", { dir_path: "/repo" }), DENIED);
      assert.deepEqual(
        events.map(({ outcome, text, result }) => [outcome, text, result]),
        [["refused", DENIED.text, null]],
      );
    });
  }

  test("a question that throws denies the call and is reported", async () => {
    const fault = new Error("the dialog is broken");
    const reports = await withReports(async () => {
      for (const approve of [
        () => {
          throw fault;
        },
        () => Promise.reject(fault),
      ]) {
        const toolset = await createToolset(client, { approve });
        assert.deepEqual(await toolset.call("list_dir", { dir_path: "/repo" }), DENIED);
      }
    });
    assert.deepEqual(reports, [fault, fault]);
  });

  test("a call that the tool refuses is not asked about", async () => {
    const [toolset, events] = await recorded(client, {
      approve: () => {
        throw new Error("asked");
      },
    });
    for (const [name, args] of [
      ["list_dir", '{"dir_path": '],
      ["list_dir", {}],
      ["grep", {}],
    ] as const) {
      assert.equal((await toolset.call(name, args)).isError, true);
    }
    assert.deepEqual(
      events.map(({ outcome }) => outcome),
      ["answered", "answered", "unknown"],
    );
  });

  test("an abort while a person thinks rejects at once, and nothing runs", async () => {
    const controller = new AbortController();
    const [toolset, events] = await recorded(client, {
      approve: ({ signal }) => {
        assert.equal(signal, controller.signal);
        setImmediate(() => controller.abort(new Error("stop")));
        return new Promise<never>(() => undefined);
      },
    });
    const { signal } = controller;
    await assert.rejects(toolset.call("list_dir", { dir_path: "/repo" }, { signal }), {
      message: "stop",
    });
    assert.deepEqual(
      events.map(({ outcome }) => outcome),
      ["aborted"],
    );
  });

  test("an abort before the summary arrives prevents the question", async () => {
    const controller = new AbortController();
    const toolset = await createToolset(client, {
      approve: () => {
        throw new Error("asked");
      },
    });
    const call = toolset.call("list_dir", { dir_path: "/repo" }, { signal: controller.signal });
    controller.abort(new Error("stop"));
    await assert.rejects(call, { message: "stop" });
  });

  test("a call whose summary fails is not approved, and nothing runs", async () => {
    const called: string[] = [];
    // Faked: a page cannot make the request for the summary fail.
    const broken: ToolClient = {
      listTools: () => client.listTools(),
      describeTools: (format, names) => client.describeTools(format, names),
      prepareCall: () => Promise.reject(new TreeglassError("WorkerFailed", "It died.")),
      callTool: (name, args, options) => {
        called.push(name);
        return client.callTool(name, args, options);
      },
    };
    const toolset = await createToolset(broken, { approve: () => true });
    assert.deepEqual(await toolset.call("LS", {}), {
      text: "LS could not be called; try it once more.",
      isError: true,
      result: null,
    });
    assert.deepEqual(called, []);
  });
});
