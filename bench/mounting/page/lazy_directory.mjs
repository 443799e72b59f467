// A directory handle as a source, which is listed on demand.

import { connect } from "/npm/index.js";

const client = await connect();
const root = await navigator.storage.getDirectory();

/** Makes empty files in the origin private file system, as many in each directory. */
export async function makeFiles({ directoryCount, filesPerDirectory }) {
  for (let number = 0; number < directoryCount; number += 1) {
    const name = `part_${String(number).padStart(2, "0")}`;
    const directory = await root.getDirectoryHandle(name, { create: true });
    for (let file = 0; file < filesPerDirectory; file += 1) {
      await directory.getFileHandle(`module_${String(file).padStart(5, "0")}.py`, { create: true });
    }
  }
}

/** Times the mount, the first listing of its root, and a listing of everything. */
export async function measureDirectory({ entryCount }) {
  const mount = await timed(() => client.mount("/repo", { directory: root }));
  const first = await timed(() => client.callTool("list_dir", { dir_path: "/repo", depth: 1 }));
  const all = { dir_path: "/repo", depth: 2, limit: entryCount };
  const whole = await timed(() => client.callTool("list_dir", all));
  return {
    mountMs: mount.takenMs,
    firstMs: first.takenMs,
    wholeMs: whole.takenMs,
    listing: first.result.content,
    listedCount: whole.result.content.split("\n").length - 1,
  };
}

async function timed(act) {
  const before = performance.now();
  const result = await act();
  return { takenMs: performance.now() - before, result };
}
