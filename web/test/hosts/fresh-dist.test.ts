/** These tests run against `dist/`, which `npm test` does not build. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

interface Sources {
  readonly folders: readonly string[];
  /** The SHA-256 of each file. */
  readonly files: Readonly<Record<string, string>>;
}

/** Lists files as `tree_files` of `build_steps/folders.py` does. */
function filesOf(name: string): string[] {
  const path = join(ROOT, name);
  if (!statSync(path).isDirectory()) {
    return [name];
  }
  return readdirSync(path, { encoding: "utf8", recursive: true })
    .map((below) => `${name}/${below.replaceAll("\\", "/")}`)
    .filter((file) => !file.includes("/__pycache__/") && !basename(file).startsWith("."))
    .filter((file) => !file.endsWith(".tsbuildinfo") && statSync(join(ROOT, file)).isFile());
}

test("dist/ was built from the sources that are here", () => {
  const noted = readFileSync(join(ROOT, "build", "sources-of-dist.json"), "utf8");
  const { folders, files }: Sources = JSON.parse(noted);
  const now = new Map(
    folders.flatMap(filesOf).map((name) => [
      name,
      createHash("sha256")
        .update(readFileSync(join(ROOT, name)))
        .digest("hex"),
    ]),
  );

  const changed = [...new Set([...now.keys(), ...Object.keys(files)])]
    .filter((name) => now.get(name) !== files[name])
    .sort();

  const told = `dist/ was built from other sources: ${changed[0]} differs (${changed.length} in all). Other tests may fail for that reason alone: run \`python build.py bundle\`.`;
  assert.ok(changed.length === 0, told);
});
