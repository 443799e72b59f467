/**
 * Makes a built npm package note which functions run, in its place, under Node:
 *
 *     node instrument.mjs PACKAGE_FOLDER PRELUDE
 *
 * The prelude is put before the workers; it says where the notes go.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { instrumentModule } from "./instrument-module.ts";

const [packageFolder = "", prelude = ""] = argv.slice(2);
const assets = join(packageFolder, "assets");
const start = JSON.parse(readFileSync(join(assets, "start.json"), "utf8"));

function replace(path: string, bytes: Uint8Array): void {
  writeFileSync(join(assets, path), bytes);
  const hash = createHash("sha256").update(bytes).digest();
  if (path in start.files) {
    start.files[path] = `sha256-${hash.toString("base64")}`;
  }
  for (const part of [start.image.interpreter, start.image.sideModule]) {
    if (part.path === path) {
      Object.assign(part, { bytes: bytes.length, sha256: hash.toString("hex") });
    }
  }
}

for (const { path } of [start.image.interpreter, start.image.sideModule]) {
  replace(path, instrumentModule(readFileSync(join(assets, path))));
}
for (const worker of ["worker.js", "../edge-worker.js"]) {
  replace(worker, Buffer.concat([prelude, join(assets, worker)].map((file) => readFileSync(file))));
}
writeFileSync(join(assets, "start.json"), JSON.stringify(start));
