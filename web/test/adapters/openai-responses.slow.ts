import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type OpenAI from "openai";
import { openAiTools } from "../../src/adapters/openai.ts";
import { CONCLUSION, QUESTION, startForAllTests } from "../providers/exploration.ts";
import { openAiLibrary, responsesHost } from "../providers/hosts.ts";

const started = startForAllTests();

describe("a conversation over Responses", () => {
  test("can be sent whole with every request", async () => {
    const { tools, answer } = await openAiTools(started.client);
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: QUESTION }];
    for (;;) {
      const { responses } = openAiLibrary(started);
      const response = await responses.create({ model: "explorer", tools, input });
      const outputs = await answer(response);
      if (outputs.length === 0) {
        assert.equal(response.output_text, CONCLUSION);
        break;
      }
      const said = response.output.filter((item) => item.type === "function_call");
      input.push(...said, ...outputs);
    }
  });

  test("sees the tools by the names that the page gives them", async () => {
    const options = { allow: ["list_dir", "read_file"], prefix: "repo_" };
    const { tools } = await openAiTools(started.client, options);
    const messages = await responsesHost(started).plain("explorer", options);
    assert.deepEqual(
      [tools.map(({ name }) => name), messages.at(-1)],
      [["repo_list_dir", "repo_read_file"], CONCLUSION],
    );
  });

  test("tells a model that its arguments are no JSON, and goes on", async () => {
    const host = responsesHost(started);
    const messages = await host.plain("malformed-arguments");
    const call = { name: "list_dir", args: {} };
    const text =
      "failed to parse function arguments: the arguments are not valid JSON: Unterminated string starting at: line 1 column 14 (char 13)";
    assert.deepEqual(
      [messages[1], messages.at(-1)],
      [...host.told([["call_1_1", call, text]]), "I was told: Absolute path: /repo"],
    );
  });

  test("does not answer calls of the host's own tools", async () => {
    const { answer } = await openAiTools(started.client, { answeredElsewhere: ["get_weather"] });
    const call = { type: "function_call", call_id: "call_1", name: "get_weather", arguments: "{}" };
    assert.deepEqual(await answer({ output: [call] }), []);
  });

  test("has no tool whose name OpenAI refuses", async () => {
    await assert.rejects(openAiTools(started.client, { prefix: "repo." }), {
      name: "BadRequest",
      message: 'No tool can be named "repo.Glob": names have 1 to 64 of A-Z a-z 0-9 _ -',
    });
  });
});
