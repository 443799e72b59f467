import { createToolHandler } from "treeglass/adapters/http";
import { createMcpFetchHandler } from "treeglass/adapters/mcp-http";
import { connect } from "treeglass/edge";

/** What answers in this isolate; null until a request has brought the tree. */
let handlers = null;

/**
 * Returns what answers, over the tree in the bucket.
 *
 * What is kept is what was made, and not the promise of it: a visitor who leaves takes along what
 * is being waited for, and all who wait for the same would wait for good.
 */
async function handlersOver(bucket) {
  if (handlers !== null) {
    return handlers;
  }
  const tree = await bucket.get("tree.bin");
  if (tree === null) {
    return null;
  }
  const archive = await tree.arrayBuffer();
  const client = await connect({ projectRoot: "/repo" });
  await client.mount("/repo", { archive });
  // Another request may have been faster.
  handlers ??= { tools: createToolHandler(client), mcp: createMcpFetchHandler(client) };
  return handlers;
}

export default {
  /** Answers every caller: put Cloudflare Access, or a check of your own, before it. */
  async fetch(request, env) {
    const ready = await handlersOver(env.TREES);
    if (ready === null) {
      return new Response("The bucket has no tree.bin; see the README.\n", { status: 503 });
    }
    const { pathname } = new URL(request.url);
    return pathname === "/mcp" ? ready.mcp(request) : ready.tools(request);
  },
};
