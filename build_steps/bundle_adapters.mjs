// Bundles the adapters of hosts: one module each, and beside them what they share.
//
//     node bundle_adapters.mjs WEB OUTPUT ENTRY...
import { createRequire } from "node:module";
import { join } from "node:path";

const [web, output, ...entries] = process.argv.slice(2);
const { build } = createRequire(join(web, "package.json"))("esbuild");

// A second class of that name would make `instanceof` say no to what an adapter throws.
const errorsOfTheClient = {
  name: "errors-of-the-client",
  setup({ onResolve }) {
    onResolve({ filter: /\/protocol\/errors\.ts$/ }, () => ({
      path: "../index.js",
      external: true,
      sideEffects: false,
    }));
  },
};

try {
  await build({
    entryPoints: entries,
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
    plugins: [errorsOfTheClient],
  });
} catch {
  // esbuild has said why.
  process.exitCode = 1;
}
