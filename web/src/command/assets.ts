/** `treeglass assets`: copies the files that pages fetch into a folder that is served. */
import { copyFileSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { WrongUsage } from "./refusals.ts";

export const ASSETS_HELP = `  treeglass assets FOLDER [--compressed]
      Copy the files that pages fetch into FOLDER, and make it if it is missing.
      Serve it, and pass its address to the client, such as
      connect({ assets: "/treeglass/" }).
        --compressed  copy each file's .br sibling too, for servers that send these

      example: npx treeglass assets public/treeglass`;

/** The licences of what is in the assets; a copy has to contain them. */
const LICENCES = ["LICENSE", "THIRD-PARTY.md"];

const PACKAGE = fileURLToPath(new URL(".", import.meta.url));

/**
 * Copies the assets and their licences, and prints what was copied.
 *
 * Files of an earlier version stay, because open pages may still fetch them. Returns 0, or 1 if a
 * file cannot be copied; throws `WrongUsage`.
 */
export function copyAssets(args: readonly string[]): number {
  const { folder, isCompressed } = parse(args);
  const files = [...LICENCES, ...assetFiles(isCompressed)];
  try {
    for (const [from, to] of files.map((name) => paths(name, folder))) {
      mkdirSync(dirname(to), { recursive: true });
      copyFileSync(from, to);
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
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
    throw new WrongUsage(error instanceof Error ? error.message.replace(/\.$/, "") : String(error));
  }
  const [folder, ...others] = given.positionals;
  if (folder === undefined || others.length > 0) {
    throw new WrongUsage("assets takes one folder, such as public/treeglass");
  }
  return { folder, isCompressed: given.values.compressed === true };
}

/** Returns the files of the assets by their paths in the package. */
function assetFiles(isCompressed: boolean): string[] {
  const root = join(PACKAGE, "assets");
  return readdirSync(root, { encoding: "utf8", recursive: true })
    .filter((name) => statSync(join(root, name)).isFile())
    .filter((name) => isCompressed || !name.endsWith(".br"))
    .map((name) => join("assets", name))
    .sort();
}

/** Returns where a file of the package lies, and where its copy belongs. */
function paths(name: string, folder: string): [from: string, to: string] {
  const prefix = `assets${sep}`;
  return [
    join(PACKAGE, name),
    join(folder, name.startsWith(prefix) ? name.slice(prefix.length) : name),
  ];
}
