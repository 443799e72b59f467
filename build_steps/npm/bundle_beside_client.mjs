// Bundles modules that use the client without holding it: one each, and beside them what they share.
//
//     node bundle_beside_client.mjs WEB OUTPUT CLIENT NAME=ENTRY...
//
// CLIENT is the address of the client's module, as those in OUTPUT have to write it.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { leaveTheClient } from "./leave_the_client.mjs";

const [web, output, client, ...entries] = process.argv.slice(2);
const { build, transform } = createRequire(join(web, "package.json"))("esbuild");

// A sheet that a module makes itself is a text in it, which esbuild would leave as it was typed.
const styleSheetsAsTexts = {
  name: "style-sheets-as-texts",
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const options = { loader: "css", minify: true, target: "es2022" };
      const { code } = await transform(await readFile(path, "utf8"), options);
      return { contents: code.trimEnd(), loader: "text" };
    });
  },
};

try {
  await build({
    entryPoints: Object.fromEntries(entries.map((entry) => entry.split(/=(.*)/s, 2))),
    absWorkingDir: web,
    outdir: output,
    bundle: true,
    splitting: true,
    chunkNames: "shared-[hash]",
    // A host's own library is the page's to bring.
    packages: "external",
    format: "esm",
    target: "es2022",
    platform: "browser",
    minify: true,
    legalComments: "eof",
    logLevel: "warning",
    plugins: [leaveTheClient(client), styleSheetsAsTexts],
  });
} catch {
  // esbuild has said why.
  process.exitCode = 1;
}
