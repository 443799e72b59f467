// One measurement of one way to load a tree; each way is a module of its own.
//
// Such a module has `load(kind, source)`, which is timed, and `prove(paths)`, which returns what was
// loaded. Its import is not timed.

import { Heartbeat, watchLongTasks } from "/heartbeat.mjs";

let candidate;
let source;

/** Prepares a candidate, before it is given a tree. */
export async function prepare(name) {
  candidate = await import(`/${name}.mjs`);
}

/** Takes the source from the page's file input, as a page would hold it before it loads a tree. */
export async function takeSource(kind) {
  const { files } = document.querySelector("input");
  if (kind === "entries") {
    source = JSON.parse(await files[0].text());
  } else {
    source = kind === "zip" || kind === "tar" ? files[0] : files;
  }
}

/** Starts to load; sets `globalThis.measured` at the end, also after a failure. */
export function start(kind) {
  // The caller does not await it, since it must be able to give up on a page that never ends.
  measure(kind).then(
    (measured) => {
      globalThis.measured = measured;
    },
    (error) => {
      globalThis.measured = { failure: String(error) };
    },
  );
}

async function measure(kind) {
  const heart = new Heartbeat();
  await heart.start();
  const longestTask = watchLongTasks();
  const before = performance.now();
  await candidate.load(kind, source);
  const takenMs = performance.now() - before;
  const longestBlockMs = await heart.stop();
  return { takenMs, longestBlockMs, longestTaskMs: longestTask() };
}

/** Releases the source, as a page would after loading it. */
export function dropSource() {
  source = undefined;
  document.querySelector("input").value = "";
}

/** Returns what the loaded tree holds. */
export function prove(paths) {
  return candidate.prove(paths);
}
