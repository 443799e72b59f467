// Compresses one file with Brotli at its best: `node compress.mjs FROM TO`.

import { readFile, writeFile } from "node:fs/promises";
import { brotliCompressSync, constants } from "node:zlib";

const [, , from, to] = process.argv;
const bytes = await readFile(from);
const params = {
  [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
  [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
};
await writeFile(to, brotliCompressSync(bytes, { params }));
