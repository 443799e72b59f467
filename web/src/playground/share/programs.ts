/** Whole programs that use the tree and the call on screen, for each place where tools are used. */

import type { ConfigDocument } from "../../index.ts";
import type { CallText } from "../../ui/literals.ts";
import {
  escapeHtml,
  inScript,
  quote,
  quotePython,
  renderCall,
  renderClient,
  renderJson,
  renderObject,
} from "../../ui/literals.ts";
import type { LinkedTree } from "../state/linked-tree.ts";
import { MOUNT_PATH } from "../tool-notes.ts";

/** The release that the programs fetch. */
const VERSION = "0.1.0";

const BESIDE_THE_PAGE = "Put your archive beside the page as tree.zip.";

export interface ProgramInput {
  /** Null for a tree that has no address. */
  readonly link: LinkedTree | null;
  readonly call: CallText;
  /** Null for the defaults. */
  readonly config: ConfigDocument | null;
}

export interface Program {
  readonly title: string;
  /** The file that the code goes into, which names its language too. */
  readonly fileName: string;
  /** The things to do first, as sentences. */
  readonly before: string;
  /** The place of a tree without an address; empty where the program or `before` says so. */
  readonly archive: string;
  /** The page of the documentation, below `docs/`. */
  readonly guide: string;
  readonly render: (input: ProgramInput) => string;
}

export const PROGRAMS: readonly Program[] = [
  {
    title: "A page",
    fileName: "index.html",
    before: "Save the code under this name, and open it in a current browser.",
    archive: "",
    guide: "start/page.html",
    render: renderPage,
  },
  {
    title: "AI SDK",
    fileName: "ask.ts",
    before: afterInstalling("ai @ai-sdk/openai-compatible"),
    archive: BESIDE_THE_PAGE,
    guide: "adapters.html#vercel-ai-sdk",
    render: (input) => `import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, stepCountIs } from "ai";
import { aiSdkTools } from "treeglass/adapters/ai-sdk";
${clientOf(input)}
const provider = createOpenAICompatible({ name: "local", baseURL: "http://localhost:11434/v1" });
const { text } = await generateText({
  model: provider("qwen3"),
  prompt: "What is in ${MOUNT_PATH}?",
  tools: await aiSdkTools(client),
  stopWhen: stepCountIs(20),
});
console.log(text);
`,
  },
  {
    title: "OpenAI",
    fileName: "ask.ts",
    before: afterInstalling("openai"),
    archive: BESIDE_THE_PAGE,
    guide: "adapters.html#openai",
    render: (input) => `import OpenAI from "openai";
import { openAiChatTools } from "treeglass/adapters/openai";
${clientOf(input)}
const openai = new OpenAI({ apiKey: "the visitor's own", dangerouslyAllowBrowser: true });
const { tools, answer } = await openAiChatTools(client);
const messages: OpenAI.ChatCompletionMessageParam[] = [
  { role: "user", content: "What is in ${MOUNT_PATH}?" },
];
for (;;) {
  const { choices } = await openai.chat.completions.create({ model: "gpt-5", messages, tools });
  const message = choices[0]?.message;
  if (message === undefined) break;
  const answers = await answer(message);
  if (answers.length === 0) {
    console.log(message.content);
    break;
  }
  messages.push(message, ...answers);
}
`,
  },
  {
    title: "Anthropic",
    fileName: "ask.ts",
    before: afterInstalling("@anthropic-ai/sdk"),
    archive: BESIDE_THE_PAGE,
    guide: "adapters.html#anthropic",
    render: (input) => `import Anthropic from "@anthropic-ai/sdk";
import { anthropicTools } from "treeglass/adapters/anthropic";
${clientOf(input)}
const anthropic = new Anthropic({ apiKey: "the visitor's own", dangerouslyAllowBrowser: true });
const { tools, answer } = await anthropicTools(client);
const messages: Anthropic.MessageParam[] = [
  { role: "user", content: "What is in ${MOUNT_PATH}?" },
];
for (;;) {
  const message = await anthropic.messages.create({
    model: "claude-sonnet-5-5",
    max_tokens: 16_000,
    messages,
    tools,
  });
  messages.push({ role: "assistant", content: message.content });
  const results = await answer(message);
  if (results.length === 0) {
    console.log(message.content);
    break;
  }
  messages.push({ role: "user", content: results });
}
`,
  },
  {
    title: "MCP",
    fileName: "mcp.json",
    before: "Install uv, and write the path of your folder in place of /path/to/folder.",
    archive: "",
    guide: "mcp-server.html",
    render: renderMcp,
  },
  {
    title: "Python",
    fileName: "ask.py",
    before: "First run pip install treeglass, and put your files into the folder tree.",
    archive: "",
    guide: "start/python.html",
    render: renderPython,
  },
  {
    title: "Documentation",
    fileName: "page.html",
    before: "Nothing to install: the element comes from a content delivery network.",
    archive: "Put your archive beside the page as tree.zip, and serve both.",
    guide: "element.html",
    render: renderDemo,
  },
];

function afterInstalling(packages: string): string {
  return `First run npm install treeglass ${packages} and npx treeglass assets public/treeglass.`;
}

function clientOf({ link, call, config }: ProgramInput): string {
  return renderClient(renderSource(link), MOUNT_PATH, call, config);
}

function renderPage({ link, call, config }: ProgramInput): string {
  const options = config === null ? "" : `{ config: ${inScript(renderObject(config))} }`;
  const module = quote(`https://cdn.jsdelivr.net/npm/treeglass@${VERSION}/index.js`);
  const choice = '<p><label>Your archive <input type="file"></label></p>\n  ';
  // A page from the disk may not fetch what lies beside it, so its reader chooses the archive.
  const start =
    link === null
      ? `document.querySelector("input").addEventListener("change", (event) =>
      show({ archive: event.target.files[0] }),
    );`
      : `await show(${renderSource(link)});`;
  return `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <title>An answer of ${escapeHtml(call.toolName)}</title>
  ${link === null ? choice : ""}<pre></pre>
  <script type="module">
    import { connect } from ${module};

    const answer = document.querySelector("pre");
    async function show(tree) {
      answer.textContent = "Starting…";
      try {
        const client = await connect(${options});
        await client.mount(${quote(MOUNT_PATH)}, tree);
        const result = await ${inScript(renderCall(call))};
        answer.textContent = result.content;
      } catch (error) {
        answer.textContent = error.message;
      }
    }
    ${inScript(start)}
  </script>
</html>
`;
}

function renderMcp({ config }: ProgramInput): string {
  const mount = ["--mount", `${MOUNT_PATH}=/path/to/folder`];
  const configured = config === null ? [] : ["--config", "/path/to/configuration.json"];
  const repo = { command: "uvx", args: ["treeglass[mcp]", "mcp", ...mount, ...configured] };
  return `${JSON.stringify({ mcpServers: { repo } }, null, 2)}\n`;
}

function renderPython({ call, config }: ProgramInput): string {
  const text = config === null ? null : quotePython(JSON.stringify(config));
  const limit = call.maxOutputBytes === null ? "" : `, max_output_bytes=${call.maxOutputBytes}`;
  // JSON text is what a model sends, and what every tool takes.
  return `${text === null ? "" : "import json\n\n"}from treeglass import Config, ToolRegistry, Workspace

config = ${text === null ? "Config()" : `Config.from_object(json.loads(${text}))`}
registry = ToolRegistry(Workspace({${quote(MOUNT_PATH)}: "tree"}), config)
result = registry.call_tool(${quotePython(call.toolName)}, ${quotePython(renderJson(call) ?? call.argumentsText)}${limit})
print(result.content)
`;
}

function renderDemo({ link, call, config }: ProgramInput): string {
  const attributes = {
    ...(link === null
      ? { src: "tree.zip" }
      : { [link.kind === "url" ? "src" : link.kind]: link.specifier }),
    ...(link === null || link.integrity === null ? {} : { integrity: link.integrity }),
    tool: call.toolName,
    arguments: renderJson(call) ?? call.argumentsText,
    ...(config === null ? {} : { config: renderObject(config) }),
    ...(call.maxOutputBytes === null ? {} : { "max-output-bytes": String(call.maxOutputBytes) }),
  };
  const written = Object.entries(attributes).map(
    ([name, value]) => `${name}="${escapeHtml(value)}"`,
  );
  return `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <title>An answer of ${escapeHtml(call.toolName)}</title>
  <script type="module" src="https://cdn.jsdelivr.net/npm/treeglass@${VERSION}/element.js"></script>

  <treeglass-demo ${written.join(" ")}></treeglass-demo>
</html>
`;
}

/** Returns the source of a mount; a tree without an address has to lie beside the program. */
function renderSource(link: LinkedTree | null): string {
  if (link === null) {
    return '{ url: new URL("tree.zip", location.href).href }';
  }
  const integrity = link.integrity === null ? "" : `, integrity: ${quote(link.integrity)}`;
  return `{ ${link.kind}: ${quote(link.specifier)}${integrity} }`;
}
