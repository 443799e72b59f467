import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { openAiChatTools } from "../../src/adapters/openai.ts";
import { createToolset } from "../../src/adapters/toolset.ts";
import type { TreeglassClient } from "../../src/client/client.ts";
import type { ConfigDocument, ToolFamily } from "../../src/generated/config.ts";
import { connectRealClient } from "../support/real-client.ts";

const CODEX = ["grep_files", "list_dir", "read_file"];

async function withClient(
  options: { readonly family?: ToolFamily; readonly config?: ConfigDocument },
  use: (client: TreeglassClient) => Promise<void>,
): Promise<void> {
  const client = await connectRealClient(options);
  try {
    await client.mount("/repo", { entries: { "a.txt": "public\n", "b.txt": "" } });
    await use(client);
  } finally {
    await client.close();
  }
}

const namesOf = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);

describe("the family of a client", () => {
  test("is codex for listings and adapters, and callTool still runs each tool by its name", async () => {
    await withClient({}, async (client) => {
      assert.deepEqual(namesOf(await client.listTools()), CODEX);
      assert.deepEqual(namesOf((await createToolset(client)).tools), CODEX);
      const { tools } = await openAiChatTools(client);
      assert.deepEqual(
        tools.map((tool) => tool.function.name),
        CODEX,
      );
      const { structuredContent } = await client.callTool("LS", {});
      assert.equal(structuredContent?.status, "success");
      const outside = await (await createToolset(client)).call("LS", {});
      assert.equal(
        outside.text,
        'There is no tool "LS"; the tools are: grep_files, list_dir, read_file.',
      );
    });
  });

  for (const [family, names] of [
    ["codex", CODEX],
    ["envelope", ["Glob", "Grep", "LS", "Read"]],
    ["forge", ["Glob", "Read", "Search", "list_directory"]],
  ] as const) {
    test(`${family} lists its tools, and other tools are unknown`, async () => {
      await withClient({ family }, async (client) => {
        assert.deepEqual(namesOf(await client.listTools()), names);
        const other = family === "codex" ? "LS" : "list_dir";
        const { error } = await client.callTool(other, {});
        assert.deepEqual(error, { kind: "UnknownTool", message: `Unknown tool: ${other}` });
      });
    });
  }

  test("is named by the option instead of the configuration", async () => {
    const config = { tools: { family: "forge", output: { max_bytes: 9999 } } } as const;
    await withClient({ family: "codex", config }, async (client) => {
      assert.deepEqual(namesOf(await client.listTools()), CODEX);
    });
  });

  test("is refused by name if it is unknown", async () => {
    await assert.rejects(connectRealClient(JSON.parse('{"family": "Codex"}')), {
      name: "BadRequest",
      message: 'The option family is "codex", "envelope", "forge" or "all".',
    });
  });
});

const client = await connectRealClient({});
await client.mount("/repo", { entries: { "a.txt": "secret\n" } });
after(() => client.close());

describe("a toolset whose client gives other names to tools afterwards", () => {
  const SWAPPED = { tools: { names: { "codex.list_dir": "x", "codex.read_file": "list_dir" } } };
  const READ = { file_path: "/repo/a.txt" };
  const REFUSED =
    "failed to parse function arguments: `dir_path` is missing; expected for example " +
    '{"dir_path": "/repo", "offset": 1, "limit": 25, "depth": 2}';

  test("goes on to call the tools that it was made of", async () => {
    await client.configure({});
    const denying = await createToolset(client, { deny: ["codex.read_file"] });
    const approved: string[] = [];
    const asking = await createToolset(client, {
      allow: ["list_dir"],
      approve: ({ definition, summary }) => approved.push(`${definition.name}: ${summary}`) > 0,
    });
    await client.configure(SWAPPED);

    assert.deepEqual(namesOf(denying.tools), ["grep_files", "list_dir"]);
    assert.equal((await denying.call("list_dir", READ)).text, REFUSED);
    assert.equal((await asking.call("list_dir", READ)).text, REFUSED);
    const { text } = await asking.call("list_dir", { dir_path: "/repo" });
    assert.equal(text, "Absolute path: /repo\na.txt");
    assert.deepEqual(approved, ["list_dir: List directory /repo"]);
    assert.deepEqual(
      namesOf(asking.tools),
      namesOf(JSON.parse(JSON.stringify(await asking.describe("mcp")))),
    );
  });

  test("says that a tool is unknown by its own name, once it is not offered any more", async () => {
    await client.configure({});
    const toolset = await createToolset(client);
    await client.configure({ tools: { family: "envelope" } });
    const { text } = await toolset.call("list_dir", { dir_path: "/repo" });
    assert.equal(text, "Unknown tool: list_dir");
  });
});
