/**
 * Filesystem tools for an LLM agent that lives in a web page: they read a tree, and propose changes
 * that no mount receives.
 */

export * from "./client/public.ts";
export { connect } from "./hosts/page/connect.ts";
export { preload } from "./hosts/page/preload.ts";
