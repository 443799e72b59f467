import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { createToolset } from "../../src/adapters/toolset.ts";
import type { ConfigDocument } from "../../src/generated/config.ts";
import { isRecord } from "../../src/lib/checks.ts";
import { startRealClient } from "../support/real-client.ts";
import { withReports } from "../support/reported-faults.ts";

const TRIES = 180;
/** Promises to wait for between the call and the new configuration, in turn. */
const MAX_DELAY = 9;
const NAME = "list_dir";
const CALL = { dir_path: "/repo" };
const DENIED =
  "The call was not approved: List directory /repo. Go on without it, or ask for something else.";

/** The configurations that refuse a call, with the refusal: such a call is not asked about. */
const REFUSING: readonly (readonly [ConfigDocument, string])[] = [
  [{ tools: { mode: "disabled" } }, "Tool execution disabled"],
  [{ tools: { mode: "parse_only" } }, "Tool execution disabled"],
  [{ tools: { approval: { enabled: false } } }, "Tool execution disabled by policy"],
  [{ tools: { approval: { denylist: [NAME] } } }, `Tool '${NAME}' is denylisted`],
  [{ tools: { approval: { mode: "deny" } } }, `Tool '${NAME}' is denylisted`],
  [{ tools: { experimental_supported_tools: [] } }, `Unknown tool: ${NAME}`],
  [{ tools: { max_tool_args_bytes: 1 } }, "Tool arguments too large: 20 bytes, at most 1"],
];

const client = await startRealClient({ "a.txt": "" });
after(() => client.close());

describe("a configuration that changes while a call is being approved", () => {
  for (const [config, refusal] of REFUSING) {
    test(`lets no call through unapproved that ${JSON.stringify(config)} refused`, async () => {
      await client.configure({});
      const toolset = await createToolset(client, { approve: () => false });
      const texts = new Set<string>();
      for (let tries = 0; tries < TRIES; tries += 1) {
        const refused = client.configure(config);
        const call = toolset.call(NAME, CALL);
        for (let waits = tries % MAX_DELAY; waits > 0; waits -= 1) {
          await null;
        }
        const allowed = client.configure({});
        texts.add((await call).text);
        await Promise.all([refused, allowed]);
      }
      // Denied by the person that it asked, or refused by the policy that it ran under.
      assert.deepEqual(
        [...texts].filter((text) => text !== refusal),
        [DENIED],
      );
    });
  }

  test("asks again, and the call runs as the last question said", async () => {
    await client.configure({});
    const configs: ConfigDocument[] = [
      { tools: { list_dir: { revision: "paged-then-sorted" } } },
      { tools: { approval: { denylist: [NAME] } } },
      {},
    ];
    const asked: string[] = [];
    const toolset = await createToolset(client, {
      approve: async ({ summary }) => {
        asked.push(summary);
        await client.configure(configs.shift() ?? {});
        return true;
      },
    });
    assert.equal((await toolset.call(NAME, CALL)).text, `Tool '${NAME}' is denylisted`);
    assert.deepEqual(asked, ["List directory /repo", "List directory /repo"]);
    await client.configure({});
    configs.length = 0;
    assert.equal((await toolset.call(NAME, CALL)).text, "Absolute path: /repo\na.txt");
    assert.equal(asked.length, 3);
  });

  test("is not asked about for ever", async () => {
    let asked = 0;
    const toolset = await createToolset(client, {
      approve: async () => {
        asked += 1;
        await client.configure({ tools: { output: { max_bytes: 1000 + asked } } });
        return true;
      },
    });
    const reports = await withReports(async () => {
      assert.deepEqual(await toolset.call(NAME, CALL), {
        text: "list_dir could not be called; try it once more.",
        isError: true,
        result: null,
      });
    });
    assert.equal(asked, 5);
    assert.deepEqual(
      reports.map((error) => isRecord(error) && error.name),
      ["SettingsChanged"],
    );
  });
});
