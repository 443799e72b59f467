// The tools that the npm package's adapter for MCP offers, by the official client:
//     node --preserve-symlinks --preserve-symlinks-main mcp_adapter_tools.mjs CONFIG
// from beside a node_modules with the package and the adapter's dependencies. Writes a list
// of tools for each kind of results; CONFIG is JSON.
import { argv, stdout } from "node:process";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { createMcpServer } from "treeglass/adapters/mcp";
import { connect } from "treeglass/edge";

const tools = await connect({ config: JSON.parse(argv[2]) });
const offered = {};
for (const results of ["text", "structured", "both"]) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const server = await createMcpServer(tools, { results });
  const client = new Client({ name: "test", version: "1.0.0" });
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  offered[results] = (await client.listTools()).tools;
  await client.close();
}
await tools.close();
stdout.write(JSON.stringify(offered));
