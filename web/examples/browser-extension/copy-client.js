// An extension loads its own files only, so the client lies in its folder, beside the assets.
import { copyFileSync } from "node:fs";

copyFileSync("node_modules/treeglass/index.js", "treeglass/index.js");
