// The part of a measurement that runs in the page: the public API and nothing else.

let client;

/** Times connect, mount and the first call; the package's own module is there already. */
export async function firstResult({ base, entries, call: [tool, args] }) {
  const { connect } = await import(`${base}index.js`);
  const before = performance.now();
  client = await connect();
  await client.mount("/repo", { entries });
  const { content } = await client.callTool(tool, args);
  return { takenMs: performance.now() - before, content };
}

/** Times a module worker that loads Pyodide and nothing else. */
export function bareStart() {
  return new Promise((resolve, reject) => {
    const before = performance.now();
    const worker = new Worker("/bare_worker.mjs", { type: "module" });
    worker.addEventListener("error", (event) => reject(new Error(event.message)));
    worker.addEventListener("message", ({ data }) => {
      resolve({ takenMs: performance.now() - before, version: data });
    });
  });
}

/** Mounts what the visitor chose in a file input, and times it. */
export async function mountChosen({ path, kind }) {
  const { files } = document.querySelector("input");
  const before = performance.now();
  await client.mount(path, kind === "archive" ? { archive: files[0] } : { files });
  return performance.now() - before;
}

/** Makes one call again and again; each is timed from the page and back to it. */
export async function repeatCall({ tool, args, repeats }) {
  const takenMs = [];
  let result;
  for (let count = 0; count < repeats; count += 1) {
    const before = performance.now();
    result = await client.callTool(tool, args);
    takenMs.push(performance.now() - before);
  }
  return { takenMs, answer: { content: result.content, structured: result.structured } };
}
