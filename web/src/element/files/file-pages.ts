/** Reads a file through `read_file`, in pages of numbered lines. */
import type { TreeglassClient } from "../../index.ts";
import { escapePath } from "../../lib/spelling.ts";

export interface NumberedLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

export interface FilePage {
  readonly lines: readonly NumberedLine[];
  /** Number of the first line of the next page; null on the last page. */
  readonly nextOffset: number | null;
}

export const PAGE_LINES = 200;

/** Room for a page of the longest lines. */
const PAGE_BYTES = 1024 * 1024;

const LINE = /^L(\d+): (.*)$/s;
const PAST_THE_END = "offset exceeds file length";

/**
 * Returns a page of a file; `filePath` is the tool's argument, `offset` the first line's number.
 *
 * @throws Error with the tool's own sentence when it cannot read the file.
 */
export async function loadFilePage(
  client: TreeglassClient,
  filePath: string,
  offset: number,
): Promise<FilePage> {
  const call = { file_path: filePath, offset, limit: PAGE_LINES };
  const result = await client.callTool("read_file", call, { maxOutputBytes: PAGE_BYTES });
  if (result.isError) {
    // The tool refuses offset 1 for an empty file.
    if (result.content === PAST_THE_END) {
      return { lines: [], nextOffset: null };
    }
    throw new Error(result.error?.message ?? result.content);
  }
  const next = result.nextArguments?.offset;
  return {
    lines: result.content.split("\n").flatMap(parseLine),
    nextOffset: typeof next === "number" ? next : null,
  };
}

/** Returns the path of an entry as a tool's argument; "" is the mount itself. */
export function toToolPath(mountPath: string, path: string): string {
  const root = mountPath.replace(/\/+$/, "");
  return path === "" ? root || "/" : `${root}/${escapePath(path)}`;
}

function parseLine(line: string): NumberedLine[] {
  const [, number, text] = LINE.exec(line) ?? [];
  return number === undefined || text === undefined ? [] : [{ number: Number(number), text }];
}
