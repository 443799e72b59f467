// One session with an MCP server over streamable HTTP, by the official TypeScript client:
//     node mcp_http_client.mjs PACKAGE_JSON < JSON
// where the JSON is {address, mode, calls} and PACKAGE_JSON stands beside the client's
// node_modules. Writes what the server said of itself, its tools, and its answers in turn.
import { createRequire } from "node:module";
import { argv, stdin, stdout } from "node:process";
import { text } from "node:stream/consumers";

const require = createRequire(argv[2]);
const { Client, StreamableHTTPClientTransport } = require("@modelcontextprotocol/client");

const { address, mode, calls } = JSON.parse(await text(stdin));
const client = new Client(
  { name: "test", version: "1.0.0" },
  { versionNegotiation: { mode }, capabilities: {} },
);
await client.connect(new StreamableHTTPClientTransport(new URL(address)));
const protocol = client.getNegotiatedProtocolVersion();
const { tools } = await client.listTools();
// All at the same time, as an agent's host sends them.
const answers = await Promise.all(calls.map(([name, given]) => answer(name, given)));
await client.close();
stdout.write(JSON.stringify({ protocol, tools, answers }));

async function answer(name, given) {
  try {
    const { content, isError = false } = await client.callTool({ name, arguments: given });
    return { content, isError };
  } catch ({ code, message }) {
    return { code, message };
  }
}
