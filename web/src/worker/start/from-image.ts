/** The start from an image: an interpreter whose memory already holds the tools. */
import type { PyodideAPI } from "pyodide";
import type { ArrivingParts, ImageOrigin, StartFolders } from "../../protocol/start.ts";
import type { Stopwatch } from "../../protocol/stopwatch.ts";
import type { WorkerHost } from "../worker-host.ts";
import { fingerprintOf, STANDARD_LIBRARY } from "./image-layout.ts";
import { LateCode } from "./late-code.ts";
import { restoreMemory } from "./memory-image.ts";
import { creatingImageModule, type Link } from "./patches/code.ts";
import { answeringFetch, withoutOwnCode } from "./patches/globals.ts";
import { NO_SNAPSHOT, restoringBy, withoutCompiling } from "./patches/memory.ts";
import type { CreateModule, EmscriptenModule } from "./patches/pyodide-types.ts";
import { importCreateModule, importPyodide, START_OPTIONS } from "./pyodide-modules.ts";

type LoadPyodide = (options: object) => Promise<PyodideAPI>;

/** A start that takes longer will never end. */
const TIMEOUT_MS = 60_000;

/** An archive without entries: the image has imported what it needs of the standard library. */
const EMPTY_ZIP = new Uint8Array(22);
EMPTY_ZIP.set([0x50, 0x4b, 5, 6]);

export interface ArrivingImage extends ImageOrigin {
  readonly parts: ArrivingParts;
}

/** Restores an interpreter; rejects with a clause that says why it could not. */
export function startFromImage(
  host: WorkerHost,
  folders: StartFolders,
  image: ArrivingImage,
  stopwatch: Stopwatch,
  lateCode: LateCode,
): Promise<PyodideAPI> {
  const { parts } = image;
  const giveUp = new AbortController();
  const { signal } = giveUp;
  const restored = restoreInterpreter(host, folders, image, parts, stopwatch, lateCode, signal);
  return inTime(parts, Promise.race([restored, lateCode.missing])).finally(() => giveUp.abort());
}

/** The same from parts that may still arrive; an abort keeps it from creating an interpreter. */
export async function restoreInterpreter(
  host: WorkerHost,
  folders: StartFolders,
  origin: ImageOrigin,
  parts: ArrivingParts,
  stopwatch: Stopwatch,
  lateCode = new LateCode(host, folders),
  signal?: AbortSignal,
): Promise<PyodideAPI> {
  const [loader, createModule] = await stopwatch.time("load", () =>
    Promise.all([importPyodide(host, folders), importCreateModule(host, folders)]),
  );
  signal?.throwIfAborted();
  const code = { loader, createModule, link: lateCode.link };
  const pyodide = await restoreWith(code, folders, origin, parts, stopwatch, signal);
  seedChance(pyodide);
  return pyodide;
}

export interface PyodideCode {
  readonly loader: Pick<typeof import("pyodide"), "loadPyodide" | "version">;
  readonly createModule: CreateModule;
  /** Missing if the modules of the interpreter are whole. */
  readonly link?: Link;
}

/** Gives `random` a state of its own: the image has that of the machine that made it. */
export function seedChance(pyodide: PyodideAPI): void {
  pyodide.pyimport("random").seed();
}

/** The same from imported modules, and without entropy; see `seedChance`. */
export async function restoreWith(
  { loader, createModule, link }: PyodideCode,
  folders: StartFolders,
  origin: ImageOrigin,
  parts: ArrivingParts,
  stopwatch: Stopwatch,
  signal?: AbortSignal,
): Promise<PyodideAPI> {
  if (loader.version !== origin.pyodideVersion) {
    throw new Error(`the image is of Pyodide ${origin.pyodideVersion}, not ${loader.version}`);
  }
  const onModule = async (module: EmscriptenModule) => {
    const fingerprint = fingerprintOf(module.GOT);
    if (fingerprint !== origin.fingerprint) {
      throw new Error(`this engine numbers functions differently (${fingerprint})`);
    }
    const memory = await parts.memory;
    withoutCompiling(module);
    restoringBy(module, () => stopwatch.timeNow("restore", () => restoreMemory(module, memory)));
  };
  // Pyodide's type does not have the options of an image.
  const loadPyodide = loader.loadPyodide as unknown as LoadPyodide;
  const load = () =>
    loadPyodide({
      ...START_OPTIONS,
      indexURL: folders.pyodide,
      stdLibURL: `${folders.pyodide}${STANDARD_LIBRARY}`,
      packageBaseUrl: folders.packages,
      lockFileContents: NO_PACKAGES,
      _loadSnapshot: NO_SNAPSHOT,
      createPyodideModule: creatingImageModule(createModule, parts, onModule, link),
    });
  // Pyodide fetches the library, and the image has what is used of it.
  const unused = `${folders.pyodide}${STANDARD_LIBRARY}`;
  const answer = async (address: string) => (address === unused ? emptyAnswer() : null);
  const work = () => answeringFetch(answer, load, signal);
  return stopwatch.time("interpreter", () => withoutOwnCode(work));
}

/** Pyodide requires a lock file; this one is empty because no package is loaded. */
const NO_PACKAGES = {
  info: { abi_version: "2026_0", arch: "wasm32", platform: "emscripten_5_0_3", python: "3.14.2" },
  packages: {},
};

/**
 * Returns the two members of a response that Pyodide reads.
 *
 * Not a `Response`: the global scope of workerd allows no I/O, and so cannot read its body.
 */
function emptyAnswer(): Response {
  const answer = { ok: true, arrayBuffer: async () => EMPTY_ZIP.buffer };
  return answer as unknown as Response;
}

/** Returns the outcome of work; rejects if it takes too long after all parts have arrived. */
async function inTime<Outcome>(parts: ArrivingParts, work: Promise<Outcome>): Promise<Outcome> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = Promise.all(Object.values(parts)).then(
    () =>
      new Promise<never>((_, reject) => {
        const reason = `the image was not restored in ${TIMEOUT_MS} ms`;
        timer = setTimeout(() => reject(new Error(reason)), TIMEOUT_MS);
      }),
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
