import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import {
  isWebMcpAvailable,
  registerWebMcpTools,
  type WebMcpModelContext,
  type WebMcpOptions,
  type WebMcpTool,
} from "../../src/adapters/webmcp.ts";
import { connected, RESULT } from "../support/connected.ts";

const closing: (() => unknown)[] = [];
after(() => {
  for (const close of closing) {
    close();
  }
});

/** A browser's registry that throws a given error after a given number of tools. */
function registry(refusal?: { readonly after: number; readonly name: string }) {
  const registered = new Map<string, WebMcpTool>();
  const modelContext: WebMcpModelContext = {
    registerTool: async (tool, { signal }) => {
      if (registered.size === refusal?.after) {
        throw new DOMException("The browser's own words.", refusal.name);
      }
      registered.set(tool.name, tool);
      signal.addEventListener("abort", () => registered.delete(tool.name));
    },
  };
  return { modelContext, registered };
}

async function register(options: WebMcpOptions) {
  const { client } = await connected({
    listTools: { result: { tools: ["list_dir", "read_file"].map(definition) } },
    callTool: { result: RESULT },
  });
  closing.push(() => client.close());
  return registerWebMcpTools(client, options);
}

function definition(name: string) {
  return {
    name,
    title: name,
    description: "Reads.",
    inputSchema: { type: "object" },
    annotations: { readOnlyHint: true },
  };
}

describe("WebMCP", () => {
  test("is reported as missing in a page without it", async () => {
    assert.equal(isWebMcpAvailable(), false);
    await assert.rejects(register({}), {
      name: "BadRequest",
      message:
        "This page has no WebMCP: document.modelContext is missing. Open the page over https or from localhost, in a browser that has WebMCP switched on, or load a polyfill first.",
    });
  });

  const refusals = [
    [
      "InvalidStateError",
      'A tool "read_file" is registered in this page already; choose other names with prefix or rename.',
    ],
    [
      "NotAllowedError",
      'This page may not register tools; an iframe needs allow="tools" from its parent page.',
    ],
    [
      "SecurityError",
      "The browser refuses tools for this page or for an origin in exposedTo; serve the page with the header Origin-Agent-Cluster: ?1, and name origins on https or localhost.",
    ],
    ["NotSupportedError", "This WebMCP cannot show tools to other origins; leave exposedTo out."],
    ["UnknownError", 'The browser did not take the tool "read_file".'],
  ] as const;
  for (const [name, message] of refusals) {
    test(`registers no tool at all if the browser refuses one with ${name}`, async () => {
      const { modelContext, registered } = registry({ after: 1, name });
      await assert.rejects(register({ modelContext }), {
        name: "BadRequest",
        message,
      });
      assert.deepEqual([...registered], []);
    });
  }

  test("refuses an invalid name before it registers any tool", async () => {
    const { modelContext, registered } = registry();
    await assert.rejects(register({ modelContext, rename: { read_file: "read file" } }), {
      name: "BadRequest",
      message: 'No tool can be named "read file": names have 1 to 128 of A-Z a-z 0-9 _ . -',
    });
    assert.deepEqual([...registered], []);
  });

  test("accepts a name of 128 letters and refuses one of 129", async () => {
    const { modelContext, registered } = registry();
    const longest = "x".repeat(128);
    const { names } = await register({
      modelContext,
      allow: ["list_dir"],
      rename: { list_dir: longest },
    });
    assert.deepEqual([names, [...registered.keys()]], [[longest], [longest]]);
    await assert.rejects(
      register({ modelContext, allow: ["list_dir"], rename: { list_dir: `${longest}x` } }),
      { name: "BadRequest" },
    );
  });

  test("registers nothing if the signal is aborted before or meanwhile", async () => {
    const { modelContext, registered } = registry();
    const signal = AbortSignal.abort(new Error("left"));
    await assert.rejects(register({ modelContext, signal }), { message: "left" });
    const leaving = new AbortController();
    const slow: WebMcpModelContext = {
      registerTool: async (tool, options) => {
        await modelContext.registerTool(tool, options);
        leaving.abort(new Error("left"));
      },
    };
    await assert.rejects(register({ modelContext: slow, signal: leaving.signal }), {
      message: "left",
    });
    assert.deepEqual([...registered], []);
  });

  test("answers without a second argument, and stops by a newer browser's signal", async () => {
    const { modelContext, registered } = registry();
    await register({ modelContext });
    const tool = registered.get("list_dir");
    assert.ok(tool);
    assert.deepEqual(await tool.execute({ dir_path: "/repo" }), {
      ok: true,
      text: "Absolute path: /repo",
    });
    const signal = AbortSignal.abort();
    assert.deepEqual(await tool.execute({ dir_path: "/repo" }, { signal }), {
      ok: false,
      error: { kind: "NotCalled", message: "The call was stopped." },
    });
  });

  test("tells a late caller that the tool was taken away", async () => {
    const { modelContext, registered } = registry();
    const { unregister } = await register({ modelContext });
    const tool = registered.get("list_dir");
    unregister();
    unregister();
    assert.deepEqual(
      [[...registered], await tool?.execute({})],
      [[], { ok: false, error: { kind: "NotCalled", message: "The page took this tool away." } }],
    );
  });
});
