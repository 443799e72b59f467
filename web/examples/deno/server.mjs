// Serves the tools over one folder: as plain HTTP at /tools, as MCP at /mcp.
import { createToolHandler } from "treeglass/adapters/http";
import { createMcpFetchHandler } from "treeglass/adapters/mcp-http";
import { connect } from "treeglass/edge";

const [directory] = Deno.args;
if (directory === undefined) {
  console.error("Usage: deno run … server.mjs DIRECTORY");
  Deno.exit(2);
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

const port = Number(Deno.env.get("PORT") ?? 8080);
const onListen = (address) =>
  console.log(`Serving ${directory} at http://127.0.0.1:${address.port}`);
const server = Deno.serve({ hostname: "127.0.0.1", port, onListen }, answer);

Deno.addSignalListener("SIGTERM", async () => {
  // What is under way is answered; what stays open, such as an MCP client's stream, is ended.
  setTimeout(() => Deno.exit(), 2000);
  await server.shutdown();
  await client.close();
  Deno.exit();
});
