// Serves the tools over one folder, in Node, Deno or Bun: as MCP at /mcp, and over plain HTTP at /tools.
import process from "node:process";
import { createMcpFetchHandler } from "treeglass/adapters/mcp-http";
import { connect } from "treeglass/edge";
import { plainHttpHandler } from "./plain-http.mjs";

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
const answerMcp = createMcpFetchHandler(client, options);
const answerPlainly = await plainHttpHandler(client, options);

function answer(request) {
  switch (new URL(request.url).pathname) {
    case "/health":
      return Response.json({ status: "ok" });
    case "/mcp":
      return answerMcp(request);
    default:
      return answerPlainly(request);
  }
}

const address = { hostname: "127.0.0.1", port: Number(process.env.PORT ?? 8080) };
const { port, stop } = await listen();
console.log(`Serving ${directory} at http://127.0.0.1:${port}`);

process.once("SIGTERM", async () => {
  // What is under way is answered; what stays open, such as an MCP client's stream, is ended.
  setTimeout(() => process.exit(), 2000);
  await stop();
  await client.close();
  process.exit();
});

/** Listens in the runtime's own way; keep the one of your runtime. */
async function listen() {
  if ("Deno" in globalThis) {
    const server = Deno.serve({ ...address, onListen: () => undefined }, answer);
    return { port: server.addr.port, stop: () => server.shutdown() };
  }
  if ("Bun" in globalThis) {
    const server = Bun.serve({ ...address, fetch: answer });
    return { port: server.port, stop: () => server.stop() };
  }
  const { serve } = await import("@hono/node-server");
  return new Promise((resolve) => {
    const server = serve({ ...address, fetch: answer }, ({ port }) => {
      resolve({ port, stop: () => new Promise((done) => server.close(done)) });
    });
  });
}
