import { connect } from "treeglass/edge";
import { TREE } from "./tree.js";

/** Returns what `list_dir` answers on the server. */
export async function servedListing() {
  const client = await connect({ shared: true });
  try {
    await client.mount("/repo", { entries: TREE });
    const { content } = await client.callTool("list_dir", { dir_path: "/repo" });
    return content;
  } finally {
    await client.close();
  }
}
