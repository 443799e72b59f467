// Makes hostile calls through the package's entry for programs, and prints what becomes of each:
//     node hostile_calls.mjs ENTRY FOLDER
// Its input is {limitMs, graceMs, ignoreFile, empty, calls}; a call is {name, config, ignoreContent,
// first, call}. FOLDER is the tree. Memory is the peak above the least that an empty call leaves.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv, stdin, stdout } from "node:process";
import { text } from "node:stream/consumers";

const [entry, folder] = argv.slice(2);
const { connect } = await import(entry);
const { limitMs, graceMs, ignoreFile, empty, calls } = JSON.parse(await text(stdin));

const client = await connect({ config: calls[0].config });
await client.mount("/repo", { directory: folder });
await client.callTool(...empty);
let emptyBytes = bytesOf("VmRSS");
const found = {};
for (const hostile of calls) {
  found[hostile.name] = await ending(hostile);
}
stdout.write(JSON.stringify(found));
await client.close();

/**
 * Makes a call; `late` is one that is neither answered nor stopped in its limit and the grace, and
 * `replaced` one that no interrupt has stopped.
 */
async function ending({ config, ignoreContent, first, call }) {
  await client.configure(config);
  const { isError } = await client.callTool(...first);
  if (ignoreContent !== "") {
    writeFileSync(join(folder, ignoreFile), ignoreContent);
  }
  // What starts the program is let go of later.
  emptyBytes = Math.min(emptyBytes, bytesOf("VmRSS"));
  forgetPeak();
  const begunMs = performance.now();
  const ended = client.callTool(...call, { timeoutMs: limitMs }).then(
    () => "answered",
    ({ name, message }) => (message.includes("The worker was replaced") ? "replaced" : name),
  );
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, limitMs + graceMs, "late");
  });
  const end = await Promise.race([ended, late]);
  const tookMs = performance.now() - begunMs;
  clearTimeout(timer);
  await ended;
  const grownBytes = bytesOf("VmHWM") - emptyBytes;
  // The next call is asked of the tree as it was before.
  if ((await client.changes()).entries.length > 0) {
    await client.discardChanges();
  }
  rmSync(join(folder, ignoreFile), { force: true });
  const next = await client.callTool(...empty);
  return { isReady: !(isError || next.isError), end, tookMs, grownBytes };
}

/** Has the system count the peak of this process from now on. */
function forgetPeak() {
  writeFileSync("/proc/self/clear_refs", "5");
}

/** Returns a number that the system tells of this process, its threads included. */
function bytesOf(field) {
  const status = readFileSync("/proc/self/status", "utf8");
  const line = status.split("\n").find((each) => each.startsWith(`${field}:`));
  return Number.parseInt(line.slice(field.length + 1), 10) * 1024;
}
