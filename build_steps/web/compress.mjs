// Compresses files at the same time, fast or as small as possible:
//     node compress.mjs TASKS_FILE
// TASKS_FILE holds a JSON list of { encoding, isFast, source, result }.
import { readFile, rename, writeFile } from "node:fs/promises";
import { argv } from "node:process";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const FAST_BROTLI_QUALITY = 4;

const COMPRESS = {
  br: (content, isFast) =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: isFast
          ? FAST_BROTLI_QUALITY
          : constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  gzip: (content, isFast) =>
    promisify(gzip)(content, {
      level: isFast ? constants.Z_BEST_SPEED : constants.Z_BEST_COMPRESSION,
    }),
};

// Each runs in a thread of Node.js's pool.
await Promise.all(
  JSON.parse(await readFile(argv[2], "utf8")).map(async ({ encoding, isFast, source, result }) => {
    const compressed = await COMPRESS[encoding](await readFile(source), isFast);
    // Written whole or not at all, since a result that exists is not made again.
    await writeFile(`${result}.part`, compressed);
    await rename(`${result}.part`, result);
  }),
);
