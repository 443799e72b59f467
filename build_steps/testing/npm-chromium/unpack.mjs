// Unpacks the Chromium of npm into a folder, with fonts and the libraries that a bare system lacks:
//     node unpack.mjs PACKAGE FOLDER
import { join } from "node:path";
import { argv } from "node:process";
import { pathToFileURL } from "node:url";

const [folder, into] = argv.slice(2);
// The package unpacks to fixed names in the system's temporary folder, which all users share.
process.env.TMPDIR = into;
const { inflate } = await import(pathToFileURL(join(folder, "build", "index.js")));
const names = ["chromium.br", "fonts.tar.br", "swiftshader.tar.br", "al2023.tar.br"];
await Promise.all(names.map((name) => inflate(join(folder, "bin", name))));
