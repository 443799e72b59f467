/** Read-only filesystem tools for an LLM agent that lives in a web page. */

export * from "./client/public.ts";
export { connect } from "./hosts/page/connect.ts";
export { preload } from "./hosts/page/preload.ts";
