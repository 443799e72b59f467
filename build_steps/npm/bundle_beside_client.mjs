// Bundles modules that import the client, each into one, and what they share into others.
//
//     node bundle_beside_client.mjs WEB OUTPUT CLIENT [NAME=ENTRY...] [beside:NAME=ENTRY...]
//
// CLIENT is the address of the client's module, relative to OUTPUT. A module `beside:` is bundled
// by another run into the same folder; the others import it from there.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { leaveTheClient } from "./leave_the_client.mjs";

// Minified, the code keeps no comment, and without these bundlers take an import of a computed
// address for one of any file of the package.
const LEAVE_IT = "/*webpackIgnore:true*//*turbopackIgnore:true*//*@vite-ignore*/";

const [web, output, client, ...named] = process.argv.slice(2);
const split = (text) => text.split(/=(.*)/s, 2);
const entries = named.filter((text) => !text.startsWith("beside:")).map(split);
const beside = named
  .filter((text) => text.startsWith("beside:"))
  .map((text) => split(text.slice("beside:".length)));
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

const leaveWhatIsBeside = {
  name: "leave-what-is-beside",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, resolveDir, kind }) => {
      const found = beside.find(([, file]) => resolve(resolveDir, path) === resolve(file));
      return found === undefined || kind === "entry-point"
        ? undefined
        : { path: `./${found[0]}.js`, external: true };
    });
  },
};

let outputFiles = [];
try {
  ({ outputFiles } = await build({
    entryPoints: Object.fromEntries(entries),
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
    plugins: [leaveTheClient(client), leaveWhatIsBeside, styleSheetsAsTexts],
  }));
} catch {
  // esbuild has printed why.
  process.exitCode = 1;
}
for (const { path, text } of outputFiles) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text.replaceAll(/\bimport\((?!["'`])/g, `import(${LEAVE_IT}`));
}
