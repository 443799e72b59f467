// Bundles modules that import the client, each into one, and what they share into others.
//
//     node bundle_beside_client.mjs WEB OUTPUT CLIENT NAME=ENTRY...
//
// CLIENT is the address of the client's module, relative to OUTPUT.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { leaveTheClient } from "./leave_the_client.mjs";

// Minified, the code keeps no comment, and without these bundlers take an import of a computed
// address for one of any file of the package.
const LEAVE_IT = "/*webpackIgnore:true*//*turbopackIgnore:true*//*@vite-ignore*/";

const [web, output, client, ...entries] = process.argv.slice(2);
const { build, transform } = createRequire(join(web, "package.json"))("esbuild");

// A style sheet that a module makes at run time is a text in it, which esbuild would not minify.
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

let outputFiles = [];
try {
  ({ outputFiles } = await build({
    entryPoints: Object.fromEntries(entries.map((entry) => entry.split(/=(.*)/s, 2))),
    absWorkingDir: web,
    outdir: output,
    bundle: true,
    splitting: true,
    chunkNames: "shared-[hash]",
    // The page brings its host's own library.
    packages: "external",
    format: "esm",
    target: "es2022",
    platform: "browser",
    minify: true,
    legalComments: "eof",
    logLevel: "warning",
    write: false,
    plugins: [leaveTheClient(client), styleSheetsAsTexts],
  }));
} catch {
  // esbuild has printed why.
  process.exitCode = 1;
}
for (const { path, text } of outputFiles) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text.replaceAll(/\bimport\((?!["'`])/g, `import(${LEAVE_IT}`));
}
