/** A small tree for tests of toolsets, and toolsets whose calls are recorded. */
import {
  type CallEvent,
  createToolset,
  type Toolset,
  type ToolsetOptions,
} from "../../src/adapters/toolset.ts";
import type { ToolClient } from "../../src/adapters/toolset-types.ts";

export const ENTRIES = {
  "README.md": "# Sample\n",
  "src/main.py": "def main():\n    return 0\n",
  "dir with token=abc123/a.txt": "",
};

/** What `list_dir` says of the tree at `/repo`. */
export const LISTING =
  "Absolute path: /repo\nREADME.md\ndir with token=abc123/\n  a.txt\nsrc/\n  main.py";

/** Returns a toolset, and the events of its calls. */
export async function recorded(
  client: ToolClient,
  options: ToolsetOptions = {},
): Promise<[Toolset, CallEvent[]]> {
  const events: CallEvent[] = [];
  const onCall = (event: CallEvent) => events.push(event);
  return [await createToolset(client, { ...options, onCall }), events];
}
