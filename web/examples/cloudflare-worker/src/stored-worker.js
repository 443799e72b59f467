import { createMcpFetchHandler } from "treeglass/adapters/mcp-http";
import { connect } from "treeglass/edge";

/** The handler of this isolate; null until a request has brought the tree. */
let handler = null;

/**
 * Returns what answers, over the tree in the bucket.
 *
 * What is kept is what was made, and not the promise of it: a visitor who leaves takes along what
 * is being waited for, and all who wait for the same would wait for good.
 */
async function handlerOver(bucket) {
  if (handler !== null) {
    return handler;
  }
  const tree = await bucket.get("tree.bin");
  if (tree === null) {
    return null;
  }
  const archive = await tree.arrayBuffer();
  const client = await connect({ projectRoot: "/repo" });
  await client.mount("/repo", { archive });
  // Another request may have been faster.
  handler ??= createMcpFetchHandler(client);
  return handler;
}

export default {
  /** Answers every caller: put Cloudflare Access, or a check of your own, before it. */
  async fetch(request, env) {
    if (new URL(request.url).pathname !== "/mcp") {
      return new Response(null, { status: 404 });
    }
    const answerMcp = await handlerOver(env.TREES);
    return answerMcp === null
      ? new Response("The bucket has no tree.bin; see the README.\n", { status: 503 })
      : answerMcp(request);
  },
};
