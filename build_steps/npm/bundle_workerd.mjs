// Bundles the client for workerd; it contains Pyodide's modules and imports its other files.
//
//     node bundle_workerd.mjs WEB ENTRY ASSETS OUTPUT
//
// ASSETS is the folder with start.json, which lies beside OUTPUT in the package. Files that workerd's
// bundlers have no rule for are imported from `workerd/NAME.bin` beside OUTPUT.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { leaveTheErrors } from "./leave_the_client.mjs";

const [web, entry, assets, output] = process.argv.slice(2);
const { build } = createRequire(join(web, "package.json"))("esbuild");
const { folders, files, image } = JSON.parse(await readFile(join(assets, "start.json"), "utf8"));

// A Worker can load files by static imports only, and only these may compile code.
const assetsAsImports = {
  name: "assets-as-imports",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^treeglass:assets$/ }, ({ path }) => ({
      path,
      namespace: "assets",
    }));
    onLoad({ filter: /.*/, namespace: "assets" }, () => ({
      contents: assetsModule(),
      resolveDir: join(assets, folders.pyodide),
    }));
    onResolve({ filter: /\.(wasm|bin)$/ }, ({ path }) => ({
      path,
      external: true,
    }));
  },
};

function addressOf(archive) {
  return archive.endsWith(".bin")
    ? `./assets/${folders.pyodide}${archive}`
    : `./workerd/${archive}.bin`;
}

function assetsModule() {
  const { memory, pyodideVersion, fingerprint, archives } = image;
  const names = Object.keys(archives);
  const late = Object.keys(files).filter((path) => path.endsWith(".late.wasm"));
  return [
    'import * as loader from "./pyodide.mjs";',
    'import createModule from "./pyodide.asm.mjs";',
    `export { default as interpreter } from "./assets/${image.interpreter.path}";`,
    `export { default as sideModule } from "./assets/${image.sideModule.path}";`,
    ...late.map((path, index) => `import late${index} from "./assets/${path}";`),
    "export const lateParts = {",
    ...late.map((path, index) => `  ${JSON.stringify(basename(path))}: late${index},`),
    "};",
    `export { default as memory } from "./assets/${memory.path}";`,
    ...names.map((name, index) => `import archive${index} from "${addressOf(name)}";`),
    "export const code = { loader, createModule };",
    `export const origin = ${JSON.stringify({ pyodideVersion, fingerprint, archives })};`,
    "export const archives = {",
    ...names.map((name, index) => `  ${JSON.stringify(name)}: archive${index},`),
    "};",
  ].join("\n");
}

// Never used: Pyodide imports them under Node alone. As imports they would make every bundler of a
// Worker look for Node's modules.
const withoutNode = {
  name: "without-node",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:.*|ws)$/ }, ({ path }) => ({
      path,
      namespace: "without-node",
    }));
    onLoad({ filter: /.*/, namespace: "without-node" }, () => ({
      contents: "export {};",
    }));
  },
};

try {
  await build({
    entryPoints: [entry],
    absWorkingDir: web,
    outfile: output,
    bundle: true,
    format: "esm",
    target: "es2022",
    platform: "browser",
    legalComments: "eof",
    logLevel: "warning",
    // Warnings about functions in Pyodide's modules that a Worker never calls.
    logOverride: {
      "commonjs-variable-in-esm": "silent",
      "direct-eval": "silent",
    },
    // With these, Pyodide would take a Worker for Node, or for a page.
    define: {
      process: "undefined",
      "globalThis.process": "undefined",
      location: "undefined",
    },
    inject: [join(web, "src", "hosts", "isolate", "message-channel.ts")],
    plugins: [assetsAsImports, withoutNode, leaveTheErrors("./index.js")],
  });
} catch {
  // esbuild has printed why.
  process.exitCode = 1;
}
