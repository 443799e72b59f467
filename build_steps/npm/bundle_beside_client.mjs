// Bundles modules that import the client, each into one, and what they share into others.
//
//     node bundle_beside_client.mjs '{ "web", "output", "client", "entries", "beside", "isForPages" }'
//
// What pages do not fetch keeps its names and lines, and has a client of its own. `client` is the
// address of the client's module, relative to the folder `output`. Modules that are
// `beside` are bundled by another run into the same folder; the others import them from there.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { leaveTheClient, leaveTheErrors } from "./leave_the_client.mjs";

// Minified, the code keeps no comment, and without these bundlers take an import of a computed
// address for one of any file of the package.
const LEAVE_IT = "/*webpackIgnore:true*//*turbopackIgnore:true*//*@vite-ignore*/";

const { web, output, client, entries, beside, isForPages } = JSON.parse(process.argv[2]);
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
      const found = Object.entries(beside).find(([, file]) => resolve(resolveDir, path) === resolve(file));
      return found === undefined || kind === "entry-point"
        ? undefined
        : { path: `./${found[0]}.js`, external: true };
    });
  },
};

let outputFiles = [];
try {
  ({ outputFiles } = await build({
    entryPoints: entries,
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
    minify: isForPages,
    legalComments: "eof",
    logLevel: "warning",
    write: false,
    plugins: [
      isForPages ? leaveTheClient(client) : leaveTheErrors(client),
      leaveWhatIsBeside,
      styleSheetsAsTexts,
    ],
  }));
} catch {
  // esbuild has printed why.
  process.exitCode = 1;
}
for (const { path, text } of outputFiles) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text.replaceAll(/\bimport\((?!["'`])/g, `import(${LEAVE_IT}`));
}
