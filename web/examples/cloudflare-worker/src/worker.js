import { createMcpFetchHandler } from "treeglass/adapters/mcp-http";
import { connect } from "treeglass/edge";
import tree from "../tree.bin";

// In the global scope, so that no request waits for the start. All requests see the same tree.
const client = await connect({ projectRoot: "/repo" });
await client.mount("/repo", { archive: tree });

const answerMcp = createMcpFetchHandler(client);

export default {
  /** Answers every caller: put Cloudflare Access, or a check of your own, before it. */
  fetch(request) {
    const { pathname } = new URL(request.url);
    return pathname === "/mcp" ? answerMcp(request) : new Response(null, { status: 404 });
  },
};
