// The first search of a tree that a person uploads, and the same search again.

import { connect } from "/npm/index.js";

const client = await connect();

/** Makes the client fetch and import everything that a search of such a tree runs. */
export async function warm(args) {
  for (const kind of ["bytes", "file"]) {
    await search(kind, args, 1);
  }
}

/** Returns the times of a new mount, of its first search and of searches after it. */
export async function search(kind, args, repeats) {
  const source = await sourceOf(kind);
  const mounted = await timed(() => client.mount("/repo", source));
  const taken = [];
  const answers = new Set();
  for (let run = 0; run <= repeats; run += 1) {
    const { value, elapsedMs } = await timed(() => client.callTool("grep_files", args));
    taken.push(elapsedMs);
    answers.add(value.content);
  }
  await client.unmount("/repo");
  const [first, ...repeated] = taken;
  const figures = { mount_ms: mounted.elapsedMs, first_ms: first, repeated_ms: repeated };
  return { answers: [...answers], figures };
}

async function sourceOf(kind) {
  const { files } = document.querySelector(`#${kind === "folder" ? "folder" : "archive"}`);
  switch (kind) {
    case "bytes":
      return { archive: new Uint8Array(await files[0].arrayBuffer()) };
    case "file":
      return { archive: files[0] };
    default:
      return { files };
  }
}

async function timed(work) {
  const before = performance.now();
  const value = await work();
  return { value, elapsedMs: performance.now() - before };
}

/** Returns the times of just-bash over the same files, which it holds in memory. */
export async function searchByJustBash(pattern, repeats) {
  const { Bash } = await import("/just-bash.js");
  const bash = new Bash({ files: {} });
  for (const file of document.querySelector("#folder").files) {
    const path = file.webkitRelativePath.split("/").slice(1).join("/");
    await bash.fs.writeFile(`/repo/${path}`, await file.text());
  }
  const takenMs = [];
  let answer;
  for (let run = 0; run < repeats; run += 1) {
    const { value, elapsedMs } = await timed(() => bash.exec(`grep -rl '${pattern}' /repo`));
    takenMs.push(elapsedMs);
    answer = value.stdout;
  }
  return { answer, figures: { repeated_ms: takenMs } };
}
