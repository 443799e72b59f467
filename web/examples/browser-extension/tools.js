// For a page of the extension: the panel and the offscreen document each have a client.
import { connect } from "./treeglass/index.js";

/** Starts the tools over a small tree; the assets lie beside the client. */
export async function openTools() {
  const client = await connect();
  await client.mount("/repo", {
    entries: { "src/app.py": "print('hello')\n", "README.md": "# Hi\n" },
  });
  return client;
}
