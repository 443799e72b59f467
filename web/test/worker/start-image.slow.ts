import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { loadPyodide, type PyodideAPI } from "pyodide";
import { TreeglassError } from "../../src/protocol/errors.ts";
import type { ArrivingParts, ImageParts, StartFolders } from "../../src/protocol/start.ts";
import { Stopwatch } from "../../src/protocol/stopwatch.ts";
import { InterpreterFailed, LateCodeMissing } from "../../src/worker/bridge.ts";
import { MountedTrees, UNHEARD } from "../../src/worker/mounted-trees.ts";
import { restoreInterpreter } from "../../src/worker/start/from-image.ts";
import { placeArchive, placeLateModules } from "../../src/worker/start/late-files.ts";
import { workerHostWith } from "../support/hosts.ts";
import { startLoopback } from "../support/loopback.ts";
import { archivesAtHand } from "../support/python/archives-at-hand.ts";
import { runAsRequest } from "../support/python/run-as-request.ts";

const ASSETS = new URL("../../../dist/npm/assets/", import.meta.url);
const START = JSON.parse(readFileSync(new URL("start.json", ASSETS), "utf8"));
/** The directory of the assets, with a slash at its end. */
const FOLDER = fileURLToPath(ASSETS);
const FOLDERS: StartFolders = {
  // Paths: under Node, Pyodide opens files; in a worker it fetches addresses.
  assets: FOLDER,
  pyodide: fileURLToPath(new URL(START.folders.pyodide, ASSETS)),
  packages: fileURLToPath(new URL(START.folders.packages, ASSETS)),
  // Only what is read and not imported: an import of a listed file checks what it has fetched.
  files: Object.fromEntries(
    Object.entries<string>(START.files)
      .filter(([path]) => path.endsWith(".late.wasm"))
      .map(([path, hash]) => [`${FOLDER}${path}`, hash]),
  ),
  fault: null,
};
const ORIGIN = START.image;
const HOST = workerHostWith({
  importModule: (path) => import(path),
  // No answer of a tool has come yet, so the interpreter's late parts are read when they are needed.
  readAssetNow: (path) => new Uint8Array(readFileSync(path)),
});

function partBytes(name: keyof ImageParts): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(new URL(START.image[name].path, ASSETS)));
}

const INTERPRETER = WebAssembly.compile(partBytes("interpreter"));
const SIDE_MODULE = WebAssembly.compile(partBytes("sideModule"));

function parts(changed: Partial<ArrivingParts> = {}): ArrivingParts {
  const memory = Promise.resolve(partBytes("memory"));
  return { interpreter: INTERPRETER, sideModule: SIDE_MODULE, memory, ...changed };
}

function start(changed?: Partial<ArrivingParts>, origin = ORIGIN): Promise<PyodideAPI> {
  return restoreInterpreter(HOST, FOLDERS, origin, parts(changed), new Stopwatch());
}

/** Starts an interpreter that finds all archives in memory. */
async function startWithArchives(): Promise<PyodideAPI> {
  const pyodide = await start();
  for (const [name, bytes] of archivesAtHand()) {
    placeArchive(pyodide, name, bytes);
  }
  return pyodide;
}

test("two starts from one image draw different numbers", async () => {
  const draw = `
import json, os, random, secrets, tempfile, uuid
json.dumps([random.random(), os.urandom(8).hex(), secrets.token_hex(8), str(uuid.uuid4()),
            next(tempfile._get_candidate_names())])
`;
  const drawn = [await startWithArchives(), await startWithArchives()].map((pyodide) =>
    JSON.parse(String(runAsRequest(pyodide, draw))),
  );

  const same = drawn[0].filter((value: unknown) => drawn[1].includes(value));
  assert.deepEqual([drawn[0].length, same], [5, []]);
});

test("a module outside the image is fetched at its import, and the call runs again", async (context) => {
  const server = await startLoopback();
  context.after(() => server.close());
  for (const folder of Object.values<string>(START.folders)) {
    for (const name of readdirSync(new URL(folder, ASSETS))) {
      server.put(`/${folder}${name}`, { body: readFileSync(new URL(folder + name, ASSETS)) });
    }
  }
  const folders = {
    assets: server.address,
    pyodide: `${server.address}${START.folders.pyodide}`,
    packages: `${server.address}${START.folders.packages}`,
    files: {},
    fault: null,
  };
  const pyodide = await start();
  const late = placeLateModules(HOST, pyodide, folders, ORIGIN.archives);
  const trees = new MountedTrees({ late }, () => "/mounted");
  const run = () => runAsRequest(pyodide, MODELS);
  const { outcome, faults } = await trees.runUntilComplete(run, UNHEARD);
  assert.deepEqual([JSON.parse(String(outcome)), faults], [MADE, []]);
  const fetched = server.asked.map((path) => path.replace(/^.*\//, "").replace(/-.*/, ""));
  // Those with functions that making a model calls; a traceback reads ours.
  assert.deepEqual(fetched.sort(), [
    "pydantic",
    "pydantic_core",
    "python_stdlib.zip.bin",
    "treeglass",
    "typing_extensions",
    "typing_inspection",
  ]);
});

/** The schema of a model needs modules that no tool does. */
const MODELS = `
import json
from pydantic import BaseModel, TypeAdapter, ValidationError
class Made(BaseModel):
    size: int
    names: list[str] = []
try:
    Made.model_validate_json('{"size": "x"}')
except ValidationError as error:
    refused = error.errors(include_url=False, include_input=False, include_context=False)
json.dumps([Made(size=3).model_dump(), Made.model_json_schema()["required"], refused,
            TypeAdapter(dict[str, int]).validate_python({"a": "1"}), sum(range(1000))])
`;
const MADE = [
  { size: 3, names: [] },
  ["size"],
  [
    {
      type: "int_parsing",
      loc: ["size"],
      msg: "Input should be a valid integer, unable to parse string as an integer",
    },
  ],
  { a: 1 },
  499_500,
];

test("tables that arrive with late code are those of the whole module", async () => {
  const [late, whole] = [await startWithArchives(), await loadPyodide()];
  const found = JSON.parse(String(runAsRequest(late, TABLES)));
  assert.deepEqual(found, JSON.parse(whole.runPython(TABLES)));
  // Two encodings have the same signs.
  assert.deepEqual([found.length, new Set(found).size], [19, 18]);
});

/** Reads the tables of `build_steps/runtime/smaller/tables.json` that Python reaches. */
const TABLES = `
import json, unicodedata, zlib
text = "".join(map(chr, range(0xA0, 0xD800)))
names = ("gb2312", "gb18030", "hz", "big5hkscs", "cp932", "euc_jis_2004", "iso2022_jp_3", "cp949")
found = [zlib.crc32(text.encode(name, "ignore")) for name in names]
found += [zlib.crc32(text.encode(name, "ignore").decode(name).encode()) for name in names]
signs = list(map(chr, range(0xA0, 0x20000, 3)))
about = [unicodedata.name(sign, "") + unicodedata.decomposition(sign) for sign in signs]
named = [unicodedata.lookup(unicodedata.name(sign)) for sign in signs[:2000:5] if sign.isalpha()]
forms = [unicodedata.normalize(form, text) for form in ("NFC", "NFD", "NFKC", "NFKD")]
found += [zlib.crc32("".join(texts).encode()) for texts in (about, named, forms)]
json.dumps(found)
`;

test("an archive that changed since the image was made is not imported from", async (context) => {
  const server = await startLoopback();
  context.after(() => server.close());
  for (const name of Object.keys(ORIGIN.archives)) {
    server.put(`/late/${name}`, { body: "another archive" });
  }
  const folder = `${server.address}late/`;
  const pyodide = await start();
  const folders = { assets: folder, pyodide: folder, packages: folder, files: {}, fault: null };
  const late = placeLateModules(HOST, pyodide, folders, ORIGIN.archives);
  const trees = new MountedTrees({ late }, () => "/mounted");
  const look = trees.runUntilComplete(() => runAsRequest(pyodide, MODELS), UNHEARD);
  await assert.rejects(look, (error) => {
    assert(error instanceof TreeglassError && error.name === "WorkerFailed");
    const file = /: (\S+) is not the file that start.json names/.exec(error.message)?.[1] ?? "";
    return file in ORIGIN.archives;
  });
  // It recovers when the archives are back, and those that a call will want can be fetched before.
  for (const name of Object.keys(ORIGIN.archives)) {
    const inFolder = Object.values<string>(START.folders).map(
      (place) => new URL(place + name, ASSETS),
    );
    const [file] = inFolder.filter((place) => existsSync(place));
    assert(file !== undefined);
    server.put(`/late/${name}`, { body: readFileSync(file) });
  }
  const before = server.asked.length;
  await Promise.all([late.fetch(), late.fetch()]);
  assert.match(server.asked.slice(before).join(), /^[^,]*\/treeglass-[^,]*\.whl$/);
  const run = () => runAsRequest(pyodide, MODELS);
  const { outcome } = await trees.runUntilComplete(run, UNHEARD);
  assert.deepEqual(JSON.parse(String(outcome)), MADE);
});

test("a call whose interpreter died for want of late code does not run again", async () => {
  const pyodide = await start();
  const folder = "http://127.0.0.1/";
  const folders = { assets: folder, pyodide: folder, packages: folder, files: {}, fault: null };
  const late = placeLateModules(HOST, pyodide, folders, ORIGIN.archives);
  const trees = new MountedTrees({ late }, () => "/mounted");
  const missed: boolean[] = [];
  const run = () => {
    assert.throws(() => runAsRequest(pyodide, MODELS));
    missed.push(late.missed.size > 0);
    throw new InterpreterFailed(new LateCodeMissing("x is missing", "Serve x.", null));
  };
  await assert.rejects(trees.runUntilComplete(run, UNHEARD), { message: "Serve x." });
  assert.deepEqual(missed, [true]);
});

test("an image of another Pyodide is refused", async () => {
  await assert.rejects(start({}, { ...ORIGIN, pyodideVersion: "0.1.2" }), {
    message: `the image is of Pyodide 0.1.2, not ${ORIGIN.pyodideVersion}`,
  });
});

test("an engine that numbers functions differently is refused", async () => {
  const fingerprint = (ORIGIN.fingerprint + 1) >>> 0;
  await assert.rejects(start({}, { ...ORIGIN, fingerprint }), {
    message: `this engine numbers functions differently (${ORIGIN.fingerprint})`,
  });
});

test("memory of another form is refused", async () => {
  await assert.rejects(start({ memory: Promise.resolve(new Uint8Array(64)) }), {
    message: "the image has another form",
  });
});

test("a missing part ends the start with its reason", async () => {
  for (const name of ["interpreter", "sideModule", "memory"]) {
    const missing = Promise.reject(new Error(`${name} answered 404`));
    missing.catch(() => undefined);
    await assert.rejects(start({ [name]: missing }), { message: `${name} answered 404` });
  }
});

test("an empty side module ends the start", async () => {
  const empty = WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
  await assert.rejects(start({ sideModule: empty }), (error) => error instanceof Error);
});
