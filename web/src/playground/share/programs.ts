/** Whole programs that use the tree and the call on screen, for each place where tools are used. */

import type { ConfigDocument } from "../../index.ts";
import { parseJsonObject } from "../../ui/json.ts";
import {
  type CallText,
  escapeHtml,
  inScript,
  quote,
  quotePython,
  renderCall,
  renderClient,
  renderJson,
  renderObject,
  renderPython,
} from "../../ui/literals.ts";
import type { LinkedTree } from "../state/linked-tree.ts";
import { findNote, MOUNT_PATH } from "../tool-notes.ts";
import { makeFolder } from "./tree-folder.ts";

/** The release that the programs fetch. */
const VERSION = "0.1.0";

export interface ProgramInput {
  /** Null for a tree that has no address. */
  readonly link: LinkedTree | null;
  readonly call: CallText;
  /** The question of a program to its model. */
  readonly question: string;
  /** Null for the defaults. */
  readonly config: ConfigDocument | null;
}

interface Program {
  readonly title: string;
  /** The file that the code goes into, which names its language too. */
  readonly fileName: string;
  /** Says what to do with the file, and where a tree goes that only the visitor has. */
  readonly how: (link: LinkedTree | null) => string;
  /** The commands to run beside the file. */
  readonly steps: (link: LinkedTree | null) => readonly string[];
  /** The page of the documentation, below `docs/`. */
  readonly guide: string;
  readonly render: (input: ProgramInput) => string;
}

export const PROGRAMS: readonly Program[] = [
  {
    title: "A page",
    fileName: "index.html",
    how: () => "Save the code under this name, and open it in a current browser.",
    steps: () => [],
    guide: "start/page.html",
    render: renderPage,
  },
  {
    title: "AI SDK",
    fileName: "ask.ts",
    how: inPage(" It asks a model that Ollama runs on your machine."),
    steps: () => [...serving("ai @ai-sdk/openai-compatible"), "ollama pull qwen3", "npx vite"],
    guide: "adapters.html#vercel-ai-sdk",
    render: (input) => `import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, stepCountIs } from "ai";
import { aiSdkTools } from "treeglass/adapters/ai-sdk";
${clientOf(input)}
const provider = createOpenAICompatible({ name: "local", baseURL: "http://localhost:11434/v1" });
const { text } = await generateText({
  model: provider("qwen3"),
  prompt: ${quote(input.question)},
  tools: await aiSdkTools(client),
  stopWhen: stepCountIs(20),
});
console.log(text);
`,
  },
  {
    title: "OpenAI",
    fileName: "ask.ts",
    how: inPage(" It asks for your key."),
    steps: () => [...serving("openai"), "npx vite"],
    guide: "adapters.html#openai",
    render: (input) => `import OpenAI from "openai";
import { openAiChatTools } from "treeglass/adapters/openai";
${clientOf(input)}
const openai = new OpenAI({
  apiKey: prompt("Your key for OpenAI") ?? "",
  dangerouslyAllowBrowser: true,
});
const { tools, answer } = await openAiChatTools(client);
const messages: OpenAI.ChatCompletionMessageParam[] = [
  { role: "user", content: ${quote(input.question)} },
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
    how: inPage(" It asks for your key."),
    steps: () => [...serving("@anthropic-ai/sdk"), "npx vite"],
    guide: "adapters.html#anthropic",
    render: (input) => `import Anthropic from "@anthropic-ai/sdk";
import { anthropicTools } from "treeglass/adapters/anthropic";
${clientOf(input)}
const anthropic = new Anthropic({
  apiKey: prompt("Your key for Anthropic") ?? "",
  dangerouslyAllowBrowser: true,
});
const { tools, answer } = await anthropicTools(client);
const messages: Anthropic.MessageParam[] = [
  { role: "user", content: ${quote(input.question)} },
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
    how: inFolder(
      "Install uv, and make a folder.",
      " Write its path in place of /path/to, and put the code into the settings of a program that takes MCP servers. It has no call: the program's model chooses its own.",
    ),
    steps: makeFolder,
    guide: "mcp-server.html",
    render: renderMcp,
  },
  {
    title: "Python",
    fileName: "ask.py",
    how: inFolder("Save the code under this name in a new folder."),
    steps: (link) => ["python -m pip install treeglass", ...makeFolder(link), "python ask.py"],
    guide: "start/python.html",
    render: renderScript,
  },
  {
    title: "Documentation",
    fileName: "page.html",
    how: (link) =>
      `Save the code under this name${link === null ? ", put your archive beside it as tree.zip" : ""}, run the command there, and open http://localhost:8000/page.html.`,
    steps: () => ["python -m http.server 8000"],
    guide: "element.html",
    render: renderDemo,
  },
];

function inPage(more: string): Program["how"] {
  return (link) =>
    `Save the code under this name in a new folder, run the commands there, and open the address that the last one prints. The answer is in the browser's console.${more}${link === null ? " Put your archive into the folder public, as tree.zip." : ""}`;
}

function inFolder(first: string, last = ""): Program["how"] {
  return (link) =>
    `${first}${makeFolder(link).length === 0 ? ' Put your files into a folder named "tree" there.' : ""}${last}`;
}

/** Returns the commands that make a page with the program. */
function serving(packages: string): readonly string[] {
  return [
    `npm install treeglass ${packages} vite`,
    "npx treeglass assets public/treeglass",
    `echo '<script type="module" src="ask.ts"></script>' > index.html`,
  ];
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

function renderMcp({ call, config }: ProgramInput): string {
  const mount = ["--mount", `${MOUNT_PATH}=/path/to/tree`];
  const family = findNote(call.toolName)?.family.toLowerCase() ?? "codex";
  const other = family === "codex" ? [] : ["--family", family];
  const tools = config === null ? other : ["--config", "/path/to/configuration.json"];
  const repo = { command: "uvx", args: ["treeglass[mcp]", "mcp", ...mount, ...tools] };
  return `${JSON.stringify({ mcpServers: { repo } }, null, 2)}\n`;
}

function renderScript({ call, config }: ProgramInput): string {
  const configured = config === null ? "()" : `.from_object(${renderPython(config)})`;
  const limit = call.maxOutputBytes === null ? "" : `, max_output_bytes=${call.maxOutputBytes}`;
  const values = parseJsonObject(call.argumentsText);
  // A model sends text, so every tool takes it, too.
  const written = values === null ? quotePython(call.argumentsText) : renderPython(values);
  return `from treeglass import Config, ToolRegistry, Workspace

config = Config${configured}
registry = ToolRegistry(Workspace({${quote(MOUNT_PATH)}: "tree"}), config)
result = registry.call_tool(${quotePython(call.toolName)}, ${written}${limit})
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
