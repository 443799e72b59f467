// One session with the MCP reference filesystem server: over stdio, from Node, as its manual says.
// Reads `{folder, tasks}` from stdin, and prints the time and the answer of each task.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const MAX_CALL_MS = 600_000;

const { folder, tasks } = JSON.parse(readFileSync(0, "utf8"));
const server = new URL(
  import.meta.resolve("@modelcontextprotocol/server-filesystem/dist/index.js"),
);

const measured = [];
let peakBytes = null;
for (const task of tasks) {
  measured.push(await measure(task));
}
process.stdout.write(JSON.stringify({ measured, peakBytes }));

/** Measures one task with its own server, so that a server that gives up ends no other task. */
async function measure({ tool, args, rounds }) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [server.pathname, folder],
    stderr: "ignore",
  });
  const client = new Client({ name: "treeglass-bench", version: "0" });
  const call = { name: tool, arguments: { ...args, path: join(folder, args.path) } };
  const takenMs = [];
  let answer;
  try {
    await client.connect(transport);
    // The first round is not timed.
    for (let round = 0; round <= rounds; round += 1) {
      const before = performance.now();
      const { content, isError } = await client.callTool(call, undefined, { timeout: MAX_CALL_MS });
      const elapsedMs = performance.now() - before;
      answer = { content: content.map(({ text }) => text).join("\n"), isError: isError ?? false };
      if (round > 0) {
        takenMs.push(elapsedMs);
      }
    }
  } catch (error) {
    // A task that a peer cannot do is a result too.
    return { failure: error.message };
  } finally {
    const bytes = peakBytesOf(transport.pid);
    peakBytes = bytes === null ? peakBytes : Math.max(peakBytes ?? 0, bytes);
    await client.close();
  }
  return { takenMs, answer };
}

/** Returns the peak resident memory of a process, or null if the system does not report it. */
function peakBytesOf(pid) {
  try {
    const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return Number(kib) * 1024;
  } catch {
    return null;
  }
}
