/** The patch of a file that lies in the interpreter's memory. */
import type { PyodideAPI } from "pyodide";
import { isRecord } from "../../../lib/checks.ts";

// A file that says when it is read.
//
// Emscripten calls the functions of a file's node, and all files have the same ones. The patch gives
// one file its own function that reads. Without it no late module is fetched, and its import fails.

/** Calls `tell` for each read of a file, until the returned function is called. */
export function watchReads({ FS }: PyodideAPI, path: string, tell: () => void): () => void {
  const node: unknown = FS.lookupPath(path, {}).node;
  if (!hasStreamOps(node)) {
    throw new Error(`the file ${path} has no functions that read it`);
  }
  const { stream_ops: ops } = node;
  const { read } = ops;
  const watched: StreamOps["read"] = (...asked) => {
    tell();
    return read(...asked);
  };
  node.stream_ops = { ...ops, read: watched };
  return () => {
    node.stream_ops = ops;
  };
}

interface StreamOps {
  readonly read: (...asked: unknown[]) => number;
}

function hasStreamOps(node: unknown): node is { stream_ops: StreamOps } {
  return isRecord(node) && isRecord(node.stream_ops) && typeof node.stream_ops.read === "function";
}
