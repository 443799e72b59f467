/** Compiled by `npm run check`, and never run: what the types of a call allow and refuse. */
import type { Change, FileDiff, ToolArguments, TreeglassClient } from "../src/index.ts";

export async function callEachTool(client: TreeglassClient, name: string): Promise<unknown[]> {
  const { structuredContent: listed } = await client.callTool("LS", { path: "src", limit: 5 });
  const { structuredContent } = await client.callTool("list_directory", { path: "src" });
  const { structuredContent: nothing } = await client.callTool("list_dir", { dir_path: "/repo" });
  const none: null = nothing;
  const sizes: (number | null)[] =
    structuredContent?.entries.map(({ size_bytes }) => size_bytes) ?? [];
  if (listed?.status === "error") {
    return [listed.error.code];
  }
  const paths: string[] = listed?.data.entries.map(({ path }) => path) ?? [];
  // Any text as a name, and the text that a model sent, escape the check.
  const other = await client.callTool(name, { anything: true });
  const custom = await client.callTool("find_symbol", { symbol: "main" });
  const sent = await client.callTool("list_dir", '{"dir_path": "/repo"}');
  return [none, sizes, paths, other.structuredContent?.any, custom, sent, await prepare(client)];
}

async function prepare(client: TreeglassClient): Promise<string | null> {
  const { summary } = await client.prepareCall("read_file", { file_path: "/repo/a" });
  return summary;
}

export async function proposeByEachFamily(client: TreeglassClient): Promise<unknown[]> {
  const { structuredContent: edited } = await client.callTool("MultiEdit", {
    path: "a.py",
    edits: [{ old_string: "1", new_string: "2" }],
  });
  const failed: number | null | undefined =
    edited?.data && "failed_index" in edited.data ? edited.data.failed_index : null;
  const patched: null = (await client.callTool("apply_patch", { input: "" })).structuredContent;
  return [
    failed,
    patched,
    await client.callTool("Edit", { path: "a.py", old_string: "1", new_string: "2" }),
    // Forge's tool of the same name.
    await client.callTool("Edit", { patch: "" }),
    await client.callTool("Write", { path: "a.py", content: "" }),
  ];
}

export async function exportEachFormat(client: TreeglassClient): Promise<unknown[]> {
  const patch: string = await client.exportChanges({ format: "patch" });
  const archive: Uint8Array = await client.exportChanges({ format: "archive", leaveOut: [] });
  const { entries } = await client.exportChanges({ format: "manifest" });
  const { hunks }: FileDiff = await client.diff("/repo/a", { from: 1, to: "now" });
  const [change]: readonly Change[] = (await client.changes()).entries;
  return [patch, archive, entries, hunks[0]?.lines[0]?.[1], change?.baseState];
}

export function refused(client: TreeglassClient): unknown[] {
  return [
    // @ts-expect-error the argument is dir_path
    client.callTool("list_dir", { dirpath: "/repo" }),
    // @ts-expect-error the argument is missing
    client.callTool("read_file", {}),
    // @ts-expect-error a number
    client.callTool("LS", { limit: "5" }),
    // @ts-expect-error the argument is input
    client.callTool("apply_patch", { inptu: "1" }),
    // @ts-expect-error a text
    client.callTool("Edit", { path: 3, old_string: "1", new_string: "2" }),
    // @ts-expect-error the content is missing
    client.callTool("Write", { path: "a.py" }),
    // @ts-expect-error no such format
    client.exportChanges({ format: "diff" }),
    // @ts-expect-error the argument is file_path
    client.prepareCall("read_file", { path: "/repo/a" }),
  ];
}

export const ARGUMENTS: ToolArguments["list_directory"] = { path: ".", recursive: true };
