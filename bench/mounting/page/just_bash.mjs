// just-bash, loading files as its manual says: `new Bash({ files })`, with texts, bytes or functions.

import { Bash } from "/just-bash.js";
import { toContents } from "./peer_sources.mjs";

let bash;

export async function load(kind, source) {
  bash = new Bash({ files: await toContents(kind, source) });
}

export async function prove(paths) {
  const texts = [];
  for (const path of paths) {
    texts.push(await bash.fs.readFile(`/${path}`));
  }
  return { fileCount: await countFiles("/"), texts };
}

async function countFiles(directory) {
  let count = 0;
  for (const { name, isDirectory } of await bash.fs.readdirWithFileTypes(directory)) {
    // The shell's own /bin, /dev, /proc and /usr lie beside the tree.
    if (directory !== "/" || name.startsWith("part_")) {
      count += isDirectory ? await countFiles(`${directory}${name}/`) : 1;
    }
  }
  return count;
}
