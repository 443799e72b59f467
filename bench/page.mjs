// The part of a measurement that runs in the page; it uses the public API alone.

let client;

/** Times connect, mount and the first call; the package's module is imported before. */
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

/** Repeats one call; each is timed in the page, from request to answer. */
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
