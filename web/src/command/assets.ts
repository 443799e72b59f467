/** `treeglass assets`: copies the files that pages fetch into a folder that is served. */

import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { reasonOf } from "../lib/report-error.ts";
import { WrongUsage, wrongUsage } from "./refusals.ts";

export const ASSETS_HELP = `  treeglass assets FOLDER [--compressed]
      Copy the files that pages fetch into FOLDER, and make it if it is missing.
      Serve it, and pass its address to the client, such as
      connect({ assets: "/treeglass/" }).
        --compressed  make each file's .br sibling too, for servers that send these;
                      takes about a minute

      example: npx treeglass assets public/treeglass`;

/** The licences of what is in the assets; a copy has to contain them. */
const LICENCES = ["LICENSE", "THIRD-PARTY.md"];

/** Brotli makes these 1 to 2 % smaller. */
const COMPRESSED_ALREADY = new Set([".whl", ".zip"]);

/** A sibling that is larger than this share of its file is not worth a header. */
const MAX_SHARE = 0.95;

const PACKAGE = fileURLToPath(new URL(".", import.meta.url));

/**
 * Copies the assets and their licences, and prints what was copied.
 *
 * Files of an earlier version stay, because open pages may still fetch them. Returns 0, or 1 if a
 * file cannot be copied; throws `WrongUsage`.
 */
export async function copyAssets(args: readonly string[]): Promise<number> {
  const { folder, isCompressed } = parse(args);
  const files = [...LICENCES, ...assetFiles()];
  try {
    for (const [from, to] of files.map((name) => paths(name, folder))) {
      mkdirSync(dirname(to), { recursive: true });
      copyFileSync(from, to);
    }
    if (isCompressed) {
      const assets = assetFiles().map((name) => paths(name, folder)[1]);
      await Promise.all(assets.map(addSibling));
    }
  } catch (error) {
    const reason = reasonOf(error);
    process.stderr.write(`treeglass: the assets could not be copied into ${folder}: ${reason}\n`);
    return 1;
  }
  process.stdout.write(`Copied ${files.length} files into ${folder}.\n`);
  return 0;
}

function parse(args: readonly string[]): { folder: string; isCompressed: boolean } {
  let given: { values: { compressed?: boolean }; positionals: string[] };
  try {
    given = parseArgs({
      args: [...args],
      options: { compressed: { type: "boolean" } },
      allowPositionals: true,
    });
  } catch (error) {
    throw wrongUsage(error);
  }
  const [folder, ...others] = given.positionals;
  if (folder === undefined || others.length > 0) {
    throw new WrongUsage("assets takes one folder, such as public/treeglass");
  }
  return { folder, isCompressed: given.values.compressed === true };
}

/** Returns the files of the assets by their paths in the package. */
function assetFiles(): string[] {
  const root = join(PACKAGE, "assets");
  return readdirSync(root, { encoding: "utf8", recursive: true })
    .filter((name) => statSync(join(root, name)).isFile())
    .map((name) => join("assets", name))
    .sort();
}

/** Writes `NAME.br` beside a file if it is smaller; one by an earlier call may be of other content. */
async function addSibling(file: string): Promise<void> {
  if (COMPRESSED_ALREADY.has(extname(file))) {
    return;
  }
  const content = readFileSync(file);
  const compressed = await promisify(brotliCompress)(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });
  if (compressed.length <= MAX_SHARE * content.length) {
    writeFileSync(`${file}.br`, compressed);
  }
}

/** Returns where a file of the package lies, and where its copy belongs. */
function paths(name: string, folder: string): [from: string, to: string] {
  const prefix = `assets${sep}`;
  return [
    join(PACKAGE, name),
    join(folder, name.startsWith(prefix) ? name.slice(prefix.length) : name),
  ];
}
