import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { ToolClient } from "../../src/adapters/tool-client.ts";
import { createToolset } from "../../src/adapters/toolset.ts";
import type { TreeglassClient } from "../../src/client/client.ts";
import { startRealClient } from "../support/real-client.ts";

const ENTRIES = {
  "README.md": "# Sample\n",
  "src/main.py": "def main():\n    return 0\n",
  "dir with token=abc123/a.txt": "",
};

const LISTING = "Absolute path: /repo\nREADME.md\ndir with token=abc123/\n  a.txt\nsrc/\n  main.py";

describe("a toolset for a host that sends null for absent arguments", () => {
  let client: TreeglassClient;
  before(async () => {
    client = await startRealClient(ENTRIES);
  });
  after(() => client.close());

  async function argumentsOf(name: string, sent: unknown): Promise<unknown> {
    let passed: unknown = null;
    const listening: ToolClient = {
      listTools: () => client.listTools(),
      describeTools: (format, names) => client.describeTools(format, names),
      summarizeCall: (tool, args) => client.summarizeCall(tool, args),
      callTool: (tool, args, options) => {
        passed = args;
        return client.callTool(tool, args, options);
      },
    };
    const toolset = await createToolset(listening, {}, { nullsAreAbsent: true });
    await toolset.call(name, sent);
    return passed;
  }

  test("optional nulls are left out at every depth, and required ones are not", async () => {
    const indentation = { anchor_line: 1, max_levels: null, include_header: null };
    assert.deepEqual(
      await argumentsOf("read_file", { file_path: "/repo/src/main.py", mode: null, indentation }),
      '{"file_path":"/repo/src/main.py","indentation":{"anchor_line":1}}',
    );
    assert.deepEqual(
      await argumentsOf("read_file", '{"file_path": null, "indentation": null, "x": null}'),
      '{"file_path":null,"x":null}',
    );
  });

  test("text without such nulls reaches the tool byte for byte", async () => {
    for (const text of [
      '{ "dir_path" : "/repo",  "limit": 1e2 }',
      '{"dir_path": "/re',
      '{"dir_path": "/a", "dir_path": "/b"}',
      '{"dir_path": null}',
      "null",
      "[null]",
    ]) {
      assert.equal(await argumentsOf("list_dir", text), text);
    }
  });

  test("the tool answers as if they had not been sent", async () => {
    const toolset = await createToolset(client, {}, { nullsAreAbsent: true });
    const nulls = { dir_path: "/repo", offset: null, limit: null, depth: null };
    assert.equal((await toolset.call("list_dir", JSON.stringify(nulls))).text, LISTING);
    assert.equal((await toolset.call("list_dir", nulls)).text, LISTING);
    const strict = await createToolset(client);
    assert.equal((await strict.call("list_dir", nulls)).isError, true);
    await strict.describe("openai");
    assert.equal((await strict.call("list_dir", nulls)).text, LISTING);
  });
});
