// Calls over many proposed changes, beside the same calls over the same tree without any.

import { connect } from "/npm/index.js";

/** The clients by what their agents have changed; each has an interpreter of its own. */
const clients = {};

/** Mounts a tree for both clients, and applies patches for one of them. */
export async function open(files, patches) {
  const entries = Object.fromEntries(files);
  for (const name of ["changed", "unchanged"]) {
    const tools = { experimental_supported_tools: ["list_dir", "read_file", "apply_patch"] };
    const config = name === "changed" ? { tools } : {};
    clients[name] = await connect({ config });
    await clients[name].mount("/repo", { entries });
  }
  const { elapsedMs } = await timed(async () => {
    for (const patch of patches) {
      const { isError, content } = await clients.changed.callTool("apply_patch", { input: patch });
      if (isError) throw new Error(content);
    }
  });
  return elapsedMs;
}

/** Returns the times of a call for both clients, one after the other each time. */
export async function compare(name, args, repeats) {
  const found = { changed: [], unchanged: [] };
  for (let run = 0; run <= repeats; run += 1) {
    for (const [which, client] of Object.entries(clients)) {
      const { value, elapsedMs } = await timed(() => client.callTool(name, args));
      if (value.isError) throw new Error(value.content);
      // The first call of a kind fetches what it imports.
      if (run > 0) found[which].push(elapsedMs);
    }
  }
  return found;
}

/** Returns the times of a request about changes, and what the last answer holds. */
export async function ask(method, args, repeats) {
  const takenMs = [];
  let answer;
  for (let run = 0; run <= repeats; run += 1) {
    const { value, elapsedMs } = await timed(() => clients.changed[method](...args));
    answer = value;
    if (run > 0) takenMs.push(elapsedMs);
  }
  const { entries = [], hunks = [] } = answer;
  return { takenMs, counts: { entries: entries.length, hunks: hunks.length } };
}

async function timed(work) {
  const before = performance.now();
  const value = await work();
  return { value, elapsedMs: performance.now() - before };
}
