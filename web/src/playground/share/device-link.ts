/** A link that holds a small tree of the visitor's device. */

import { formatBytes } from "../../ui/format-quantities.ts";
import { isDeviceTree } from "../sources/device-trees.ts";
import { type LinkedTree, spellArchive } from "../state/linked-tree.ts";
import { pathBelowMount } from "../state/marks.ts";
import type { PageState } from "../state/page-state.ts";
import { virtualPath } from "../tool-notes.ts";

/** A longer link is cut by mail programs and chats. */
const MAX_ARCHIVE_BYTES = 40_000;

/** More is not packed: no text of this size would fit. */
const MAX_UNPACKED_BYTES = 10 * MAX_ARCHIVE_BYTES;

const TAR_BLOCK_BYTES = 512;

/** The part of a tar header that a path fits into without an extension. */
const MAX_PATH_BYTES = 100;

/**
 * Resolves with the link of a tree that has no address.
 *
 * An archive goes into it as it is. Files are packed first, without their times.
 *
 * @throws Error with a sentence for the visitor if the tree does not fit.
 */
export async function linkOfTree(page: PageState): Promise<LinkedTree> {
  const choice = page.tree.value?.choice;
  const name = choice?.name ?? "";
  const own = isDeviceTree(choice) && "archive" in choice.device ? choice.device.archive : null;
  const archive = own ?? (await packFiles(page));
  if (archive.size > MAX_ARCHIVE_BYTES) {
    throw tooLarge(archive.size);
  }
  const bytes = new Uint8Array(await archive.arrayBuffer());
  const specifier = spellArchive(own === null ? `${name}.tar.gz` : name, bytes);
  return { kind: "inside", specifier, integrity: null };
}

async function packFiles(page: PageState): Promise<Blob> {
  if (page.changes.value.entries.length > 0) {
    throw new Error("A link holds the files as they were: undo the changes first.");
  }
  const client = await page.client();
  const { entries, next } = await client.listEntries(virtualPath(""), { recursive: true });
  const files = entries.filter(({ kind }) => kind === "file");
  const sizeBytes = files.reduce((sum, file) => sum + (file.sizeBytes ?? 0), 0);
  if (next !== null || sizeBytes > MAX_UNPACKED_BYTES) {
    throw tooLarge(sizeBytes);
  }
  const parts: BlobPart[] = [];
  for (const { path } of files) {
    const { bytes } = await client.readFile(path);
    const padding = new Uint8Array(-bytes.length & (TAR_BLOCK_BYTES - 1));
    parts.push(tarHeader(pathBelowMount(path) ?? path, bytes.length), bytes, padding);
  }
  const tar = new Blob([...parts, new Uint8Array(2 * TAR_BLOCK_BYTES)]);
  return new Response(tar.stream().pipeThrough(new CompressionStream("gzip"))).blob();
}

function tarHeader(path: string, sizeBytes: number): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const name = encoder.encode(path);
  if (name.length > MAX_PATH_BYTES) {
    throw new Error(`A link cannot hold the long path ${path}.`);
  }
  const header = new Uint8Array(TAR_BLOCK_BYTES);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, "0")}\0`;
  header.set(name);
  // Mode, owner, group, size, time, blanks in place of the checksum, and the type of a file.
  const fields = [octal(0o644, 7), octal(0, 7), octal(0, 7), octal(sizeBytes, 11), octal(0, 11)];
  header.set(encoder.encode(`${fields.join("")}        0`), MAX_PATH_BYTES);
  header.set(encoder.encode("ustar\x0000"), 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.set(encoder.encode(octal(sum, 6)), 148);
  return header;
}

function tooLarge(sizeBytes: number): Error {
  return new Error(
    `${formatBytes(sizeBytes)} do not fit into a link, which holds ${formatBytes(MAX_ARCHIVE_BYTES)} of packed files.`,
  );
}
