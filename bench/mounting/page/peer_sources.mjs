// Prepares a source for an in-memory filesystem, as a page would have to.

import { unzipSync } from "fflate";
import { parseTar } from "nanotar";

// One at a time, 50,000 files take three times as long; all at once, Chromium runs out of
// file descriptors and rejects with NotReadableError.
const FILES_AT_ONCE = 64;

/** Returns an object of path to content: texts, bytes, or functions that return a text later. */
export async function toContents(kind, source) {
  switch (kind) {
    case "zip":
      return unzipSync(new Uint8Array(await source.arrayBuffer()));
    case "tar":
      return untar(await source.arrayBuffer());
    case "files":
      return readAll([...source]);
    case "lazyFiles":
      return Object.fromEntries([...source].map((file) => [pathOf(file), () => file.text()]));
    default:
      return source;
  }
}

function untar(bytes) {
  const files = parseTar(bytes).filter(({ type }) => type === "file");
  return Object.fromEntries(files.map(({ name, data }) => [name, data]));
}

async function readAll(files) {
  const contents = {};
  for (let start = 0; start < files.length; start += FILES_AT_ONCE) {
    const batch = files.slice(start, start + FILES_AT_ONCE);
    const buffers = await Promise.all(batch.map((file) => file.arrayBuffer()));
    for (const [index, file] of batch.entries()) {
      contents[pathOf(file)] = new Uint8Array(buffers[index]);
    }
  }
  return contents;
}

/** Returns a chosen file's path below the chosen folder. */
function pathOf({ webkitRelativePath }) {
  return webkitRelativePath.slice(webkitRelativePath.indexOf("/") + 1);
}
