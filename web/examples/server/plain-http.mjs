// The tools over plain HTTP, for clients without MCP: copy this file, and change it to your needs.
import { createToolset } from "treeglass/adapters/toolset";

const MAX_BODY_BYTES = 1_048_576;

/**
 * Returns a handler: `GET /tools` lists the tools, and `POST /tools/call` with the body
 * `{ "name", "arguments" }` answers `{ "text", "isError" }`.
 *
 * Pages of other origins read nothing: their browsers ask before they send JSON, and get no leave.
 */
export async function plainHttpHandler(client, { allowedHosts }) {
  const toolset = await createToolset(client);
  return async (request) => {
    const { hostname, pathname } = new URL(request.url);
    // A page can point a name of its own at this address.
    if (!allowedHosts.includes(hostname)) {
      return refused(403, "Requests for this host name are not answered here.");
    }
    if (request.method === "GET" && pathname === "/tools") {
      return Response.json({ tools: toolset.tools });
    }
    if (request.method !== "POST" || pathname !== "/tools/call") {
      return refused(404, "GET /tools lists the tools, and POST /tools/call calls one.");
    }
    if (!/^application\/json(;|$)/.test(request.headers.get("content-type") ?? "")) {
      return refused(415, "Send the call with Content-Type: application/json.");
    }
    // A body without a length may be endless.
    if (!(Number(request.headers.get("content-length") ?? Number.NaN) <= MAX_BODY_BYTES)) {
      return refused(413, `Send at most ${MAX_BODY_BYTES} bytes, with their Content-Length.`);
    }
    const call = await request.json().catch(() => null);
    if (typeof call?.name !== "string") {
      return refused(400, 'Send a call such as { "name": "list_dir", "arguments": {} }.');
    }
    const { text, isError } = await toolset.call(call.name, call.arguments, {
      signal: request.signal,
    });
    return Response.json({ text, isError });
  };
}

function refused(status, message) {
  return Response.json({ error: message }, { status });
}
