// One start of one candidate, timed in the page from before anything of it runs.
//
// `takenMs` is the time to the first answer; `importMs` is the time to import the candidate's module
// before that, if it has one.

const MAX_START_MS = 120_000;

let client;

/** The package: `connect()`, one mount and one call. */
export async function startPackage({ base, entries, call: [tool, args] }) {
  const importing = performance.now();
  const { connect } = await import(`${base}index.js`);
  const before = performance.now();
  client = await connect();
  await client.mount("/repo", { entries });
  const { content } = await client.callTool(tool, args);
  const takenMs = performance.now() - before;
  return { takenMs, importMs: before - importing, content, start: client.start ?? null };
}

/**
 * Makes a call of the package that overruns and ends its worker; then the first call again.
 *
 * Returns the time from the end of the time limit to the second answer.
 */
export async function overrun({ wide, timeoutMs, call: [tool, args] }) {
  await client.mount("/wide", { entries: wide });
  const before = performance.now();
  const walk = { dir_path: "/wide", limit: Object.keys(wide).length };
  const stopped = client.callTool("list_dir", walk, { timeoutMs }).then(
    () => Promise.reject(new Error(`the walk took less than ${timeoutMs} ms`)),
    ({ message }) => message,
  );
  const [message, { content }] = await Promise.all([stopped, client.callTool(tool, args)]);
  return { takenMs: performance.now() - before - timeoutMs, message, content };
}

/** A module worker that starts without a message and posts its first answer. */
export function startWorker({ module, entries, call }) {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error(`${module} gave no answer in ${MAX_START_MS} ms`));
    setTimeout(giveUp, MAX_START_MS);
    const before = performance.now();
    const worker = new Worker(module, { type: "module" });
    worker.addEventListener("error", ({ message }) => reject(new Error(message)));
    worker.addEventListener("message", ({ data: { content, failure } }) => {
      const takenMs = performance.now() - before;
      if (failure !== undefined) {
        reject(new Error(failure));
      }
      resolve({ takenMs, importMs: 0, content, start: null });
    });
    worker.postMessage({ entries, call });
  });
}

/** just-bash: its module, a shell over the same files, and `ls`. */
export async function startShell({ module, entries, directory }) {
  const importing = performance.now();
  const { Bash } = await import(module);
  const before = performance.now();
  const files = Object.fromEntries(
    Object.entries(entries).map(([path, content]) => [`/repo/${path}`, content]),
  );
  const { stdout } = await new Bash({ files }).exec(`ls /repo/${directory}`);
  const takenMs = performance.now() - before;
  return { takenMs, importMs: before - importing, content: stdout, start: null };
}
