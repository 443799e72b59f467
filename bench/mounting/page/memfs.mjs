// memfs, loading files as its manual says: `Volume.fromJSON()`, with texts or Buffers.

import { Buffer } from "node:buffer";
import { Volume } from "memfs";
import { toContents } from "./peer_sources.mjs";

let volume;

export async function load(kind, source) {
  const contents = await toContents(kind, source);
  if (kind !== "entries") {
    for (const [path, bytes] of Object.entries(contents)) {
      // A view and not a copy: bytes without a Buffer would become an empty directory.
      contents[path] = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
  }
  volume = Volume.fromJSON(contents, "/");
}

export async function prove(paths) {
  const texts = paths.map((path) => volume.readFileSync(`/${path}`, "utf8"));
  return { fileCount: countFiles("/"), texts };
}

function countFiles(directory) {
  let count = 0;
  for (const entry of volume.readdirSync(directory, { withFileTypes: true })) {
    count += entry.isDirectory() ? countFiles(`${directory}${entry.name}/`) : 1;
  }
  return count;
}
