// Compresses files as small as they get, side by side:
//     node compress.mjs TASKS_FILE
// where TASKS_FILE holds a JSON list of { encoding, source, result }.
import { readFile, rename, writeFile } from "node:fs/promises";
import { argv } from "node:process";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const COMPRESS = {
  br: (content) =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  gzip: (content) => promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
};

// Each runs on a thread of its own, as many at a time as Node.js has for it.
await Promise.all(
  JSON.parse(await readFile(argv[2], "utf8")).map(async ({ encoding, source, result }) => {
    const compressed = await COMPRESS[encoding](await readFile(source));
    // Whole or not at all: what is found there is not made again.
    await writeFile(`${result}.part`, compressed);
    await rename(`${result}.part`, result);
  }),
);
