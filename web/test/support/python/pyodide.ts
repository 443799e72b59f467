/** A real interpreter, for tests of Python's view. */
import assert from "node:assert/strict";
import type { DeferredDirectory, DirectoryEntry } from "../../../src/sources/tree.ts";
import { MountedTrees, UNHEARD } from "../../../src/worker/mounted-trees.ts";
import { mountDirectories } from "../../../src/worker/tree-calls.ts";
import { startPyodide } from "../isolate.ts";
import { runAsRequest } from "./run-as-request.ts";

export interface Python {
  /** Mounts a tree and returns the directory where Python has it. */
  mount(root: DirectoryEntry | DeferredDirectory): string;
  unmount(host: string): void;
  /**
   * Runs statements that leave something in `answer`, with `root` being a directory, `trees` what
   * the wheel gets, and `system` what it makes of them; `LOOKING` has functions for them, too.
   */
  ask(root: string, statements: string): unknown;
  /** Does the same as a call of a tool, which waits for missing entries. */
  look(root: string, statements: string, signal?: AbortSignal): Promise<Looked>;
}

export interface Looked {
  readonly outcome: unknown;
  readonly faults: readonly string[];
  /** How often the statements ran. */
  readonly runs: number;
}

/** Looks at a tree as the workspace does. */
const LOOKING = `
import json
from treeglass.errors import WorkspaceError, from_os_error
from treeglass.workspace.embedder import EmbedderFileSystem

system = EmbedderFileSystem(trees)

def listed(path):
    return [entry.name for entry in system.entries(path, 100_000)]

def walked(path, name="."):
    entries = system.entries(path, 100_000)
    below = sorted(entry.name for entry in entries if entry.kind == "directory")
    found = [[name, below, sorted(entry.name for entry in entries if entry.kind != "directory")]]
    for each in below:
        found += walked(f"{path}/{each}", each if name == "." else f"{name}/{each}")
    return found

def content(path):
    with system.open(path) as file:
        return file.read()

def status(path):
    found = system.lstat(path)
    return [oct(found.st_mode), found.st_size, found.st_mtime_ns]

def outcome(ask, *given):
    try:
        return ask(*given)
    except OSError as error:
        return from_os_error(error).linux_text
    except WorkspaceError as error:
        return error.linux_text
`;

export async function startPython(): Promise<Python> {
  const pyodide = await startPyodide();
  const directories = mountDirectories();
  const trees = new MountedTrees({ late: null }, directories);
  const ask = (root: string, statements: string): unknown => {
    const globals = pyodide.toPy({ root });
    globals.set("trees", trees.calls);
    const lines = `${LOOKING}\n${statements}\njson.dumps(answer)`;
    const answer = runAsRequest(pyodide, lines, globals);
    globals.destroy();
    assert(typeof answer === "string");
    return JSON.parse(answer);
  };
  return {
    mount: (root) => trees.add(root, "/project"),
    unmount: (host) => trees.remove(host),
    ask,
    async look(root, statements, signal = new AbortController().signal) {
      let runs = 0;
      const looked = await trees.runUntilComplete(
        () => {
          runs += 1;
          return ask(root, statements);
        },
        { ...UNHEARD, signal },
      );
      return { ...looked, runs };
    },
  };
}
