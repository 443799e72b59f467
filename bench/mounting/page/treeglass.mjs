// treeglass: the public API of the npm package, which takes every source unchanged.

import { connect } from "/npm/index.js";

const client = await connect();
let report;

export async function load(kind, source) {
  report = await client.mount("/repo", toTreeSource(kind, source));
}

function toTreeSource(kind, source) {
  switch (kind) {
    case "zip":
    case "tar":
      return { archive: source };
    case "entries":
      return { entries: source };
    default:
      // Files are read only when a tool needs them.
      return { files: source };
  }
}

export async function prove(paths) {
  const listing = await client.callTool("list_dir", { dir_path: "/repo", depth: 1 });
  const texts = [];
  for (const path of paths) {
    const { content } = await client.callTool("read_file", { file_path: `/repo/${path}` });
    texts.push(content);
  }
  return { fileCount: report.files, listing: listing.content, texts };
}
