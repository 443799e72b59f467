// One measurement of one way to load a tree; each way is a module of its own.
//
// Such a module has `load(kind, source)`, which is what is timed, and `prove(paths)`, which tells
// what is there afterwards. What it does when it is imported is not timed.

import { Heartbeat, watchLongTasks } from "/heartbeat.mjs";

let candidate;
let source;

/** Gets a candidate ready, with no tree in sight. */
export async function prepare(name) {
  candidate = await import(`/${name}.js`);
}

/** Takes the source from the page's file input; what a page would hold before it loads a tree. */
export async function takeSource(kind) {
  const { files } = document.querySelector("input");
  if (kind === "entries") {
    source = JSON.parse(await files[0].text());
  } else {
    source = kind === "zip" || kind === "tar" ? files[0] : files;
  }
}

/** Starts to load; `globalThis.measured` is there once that is over, with a failure or without. */
export function start(kind) {
  // Not awaited by the caller, who must be able to give up on a page that never ends.
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

/** Lets go of the source, as a page would that has loaded it. */
export function dropSource() {
  source = undefined;
  document.querySelector("input").value = "";
}

/** Tells what the loaded tree holds. */
export function prove(paths) {
  return candidate.prove(paths);
}
