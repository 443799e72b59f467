// Serves the tools over one folder: as plain HTTP at /tools, as MCP at /mcp.
import { serve } from "@hono/node-server";
import { createToolHandler } from "treeglass/adapters/http";
import { createMcpFetchHandler } from "treeglass/adapters/mcp-http";
import { connect } from "treeglass/edge";

const [directory] = process.argv.slice(2);
if (directory === undefined) {
  console.error("Usage: node server.mjs DIRECTORY");
  process.exit(2);
}

const client = await connect();
await client.mount("/repo", { directory });

// Every caller that reaches the port gets an answer. A public server needs authentication: check
// the request here, before you pass it on.
const options = { allowedHosts: ["127.0.0.1", "localhost"] };
const answerTools = createToolHandler(client, options);
const answerMcp = createMcpFetchHandler(client, options);

function answer(request) {
  switch (new URL(request.url).pathname) {
    case "/health":
      return Response.json({ status: "ok" });
    case "/mcp":
      return answerMcp(request);
    default:
      return answerTools(request);
  }
}

const port = Number(process.env.PORT ?? 8080);
const server = serve({ fetch: answer, hostname: "127.0.0.1", port }, (address) => {
  console.log(`Serving ${directory} at http://127.0.0.1:${address.port}`);
});

process.once("SIGTERM", () => {
  // What is under way is answered; what stays open, such as an MCP client's stream, is ended.
  server.close(() => client.close());
  setTimeout(() => server.closeAllConnections(), 2000).unref();
});
