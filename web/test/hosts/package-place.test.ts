import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { ownAssets, threadScript } from "../../src/hosts/thread/package-place.ts";

/** The sources have no `edge-worker.js`, as a bundle of a program has none. */
const MODULE = fileURLToPath(new URL("../../src/hosts/thread/", import.meta.url));

const before = process.cwd();
let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "treeglass-place-")));
  mkdirSync(join(base, "app", "out"), { recursive: true });
  process.chdir(join(base, "app", "out"));
});
afterEach(() => {
  process.chdir(before);
  rmSync(base, { recursive: true });
});

/** Makes what counts as a package in a folder, and returns the folder. */
function install(...folder: readonly string[]): string {
  const place = join(base, ...folder);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "edge-worker.js"), "");
  return place;
}

describe("a bundle that lies outside of the package", () => {
  test("finds the package in a folder above the working directory", () => {
    const place = install("app", "node_modules", "treeglass");
    install("node_modules", "treeglass");

    assert.deepEqual(
      [ownAssets(), threadScript(ownAssets())],
      [join(place, "assets"), join(place, "edge-worker.js")],
    );
  });

  test("takes the thread from the package whose assets it was given", () => {
    install("app", "node_modules", "treeglass");
    const place = install("vendor", "treeglass");

    assert.equal(threadScript(join(place, "assets")), join(place, "edge-worker.js"));
  });

  test("keeps to an installed package if the given assets lie alone", () => {
    const place = install("app", "node_modules", "treeglass");

    assert.equal(threadScript(join(base, "public", "treeglass")), join(place, "edge-worker.js"));
  });

  test("names its own folder if there is no package", () => {
    assert.deepEqual(
      [dirname(ownAssets()), dirname(threadScript(join(base, "assets")))],
      [dirname(join(MODULE, "x")), dirname(join(MODULE, "x"))],
    );
  });
});
