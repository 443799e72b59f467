// The session of a process: Node, Deno and Bun, with the package or with a plain Pyodide.
// Reads its task from stdin; prints the first answer at once, then the times of the calls.

import { Buffer } from "node:buffer";
import process from "node:process";
import { timeWorks } from "./page/session.mjs";

async function readTask() {
  const parts = [];
  for await (const part of process.stdin) {
    parts.push(part);
  }
  return JSON.parse(Buffer.concat(parts).toString());
}

function print(said) {
  return new Promise((resolve) => process.stdout.write(`${JSON.stringify(said)}\n`, resolve));
}

const task = await readTask();
const { open } = await import(`./${task.session}_session.mjs`);
const { call, first, close } = await open(task);
await print({ first });
await print({ works: await timeWorks(call, task.works) });
await close();
