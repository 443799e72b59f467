// Compresses files side by side, as small as they get or fast:
//     node compress.mjs TASKS_FILE
// where TASKS_FILE holds a JSON list of { encoding, isFast, source, result }.
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

// Each runs on a thread of its own, as many at a time as Node.js has for it.
await Promise.all(
  JSON.parse(await readFile(argv[2], "utf8")).map(async ({ encoding, isFast, source, result }) => {
    const compressed = await COMPRESS[encoding](await readFile(source), isFast);
    // Whole or not at all: what is found there is not made again.
    await writeFile(`${result}.part`, compressed);
    await rename(`${result}.part`, result);
  }),
);
