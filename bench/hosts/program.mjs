// The session of a process: Node, Deno and Bun, with the package or with a plain Pyodide.
// Reads its task as a line of stdin; prints the first answer at once, then the times of the calls.

import process from "node:process";
import { createInterface } from "node:readline";
import { timeWorks } from "./page/session.mjs";

function print(said) {
  return new Promise((resolve) => process.stdout.write(`${JSON.stringify(said)}\n`, resolve));
}

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const task = JSON.parse((await lines.next()).value);
const { open } = await import(`./${task.session}_session.mjs`);
const { first, call, mount, close } = await open(task);
await print({ first });
for (const [path, source] of Object.entries(task.large)) {
  await mount(path, source);
}
await print({ works: await timeWorks(call, task.works) });
// The input ends once the memory of this process was looked at.
await lines.next();
await close();
