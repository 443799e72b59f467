import { anthropicTools } from "treeglass/adapters/anthropic";
import { geminiTools } from "treeglass/adapters/gemini";
import { openAiTools } from "treeglass/adapters/openai";
import { promptApiTools } from "treeglass/adapters/prompt-api";
import { createToolset } from "treeglass/adapters/toolset";
import "treeglass/element";
import { TREE } from "./tree.js";

/** Of each family; a toolset has those of one. */
const CALLS = {
  list_dir: { dir_path: "/repo" },
  read_file: { file_path: "/repo/src/app.py" },
  LS: { path: "src" },
  list_directory: { path: "src" },
};

const ADAPTERS = { anthropicTools, geminiTools, openAiTools, promptApiTools };

/** Returns each tool's answer, a demo's, and how many tools each adapter offers, as JSON. */
export async function answersOf(client) {
  await client.mount("/repo", { entries: TREE });
  const toolset = await createToolset(client, { allow: ["list_dir", "read_file"] });
  const answers = {};
  for (const [name, args] of Object.entries(CALLS)) {
    answers[name] = toolset.tools.some((tool) => tool.name === name)
      ? (await toolset.call(name, args)).text
      : (await client.callTool(name, args)).content;
  }
  const offered = {};
  for (const [name, toolsOf] of Object.entries(ADAPTERS)) {
    offered[name] = (await toolsOf(client)).tools.length;
  }
  return JSON.stringify({ answers, offered, demo: await answerOfDemo() });
}

async function answerOfDemo() {
  const demo = document.createElement("treeglass-demo");
  Object.assign(demo, {
    assets: "/treeglass/",
    tool: "list_dir",
    arguments: JSON.stringify(CALLS.list_dir),
    source: { entries: TREE },
  });
  document.body.append(demo);
  const { content } = await demo.run();
  demo.remove();
  return content;
}
