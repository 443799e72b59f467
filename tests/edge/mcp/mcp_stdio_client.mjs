// One session with an MCP server over stdio, by the official TypeScript client:
//     node mcp_stdio_client.mjs PACKAGE_JSON < JSON
// where the JSON is {command, args, mode, calls} and PACKAGE_JSON stands beside the client's
// node_modules. Writes what the server said of itself, its tools, and its answers in turn.
import { createRequire } from "node:module";
import { argv, stdin, stdout } from "node:process";
import { text } from "node:stream/consumers";

const require = createRequire(argv[2]);
const { Client } = require("@modelcontextprotocol/client");
const { StdioClientTransport } = require("@modelcontextprotocol/client/stdio");

const { command, args, mode, calls } = JSON.parse(await text(stdin));
const client = new Client(
  { name: "test", version: "1.0.0" },
  { versionNegotiation: { mode }, capabilities: {} },
);
const transport = new StdioClientTransport({ command, args, stderr: "pipe" });
const complaints = text(transport.stderr);
await client.connect(transport);
const server = client.getServerVersion();
const instructions = client.getInstructions() ?? null;
const protocol = client.getNegotiatedProtocolVersion();
const { tools } = await client.listTools();
const answers = [];
for (const [name, callArguments] of calls) {
  answers.push(await answer(name, callArguments));
}
await client.close();
stdout.write(
  JSON.stringify({ server, instructions, protocol, tools, answers, complaints: await complaints }),
);

async function answer(name, callArguments) {
  try {
    const { content, structuredContent, isError } = await client.callTool({
      name,
      arguments: callArguments,
    });
    return { content, structuredContent: structuredContent ?? null, isError: isError ?? false };
  } catch ({ code, message }) {
    return { code, message };
  }
}
