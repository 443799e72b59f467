/** The start from an image: an interpreter whose memory has the tools in it already. */
import type { PyodideAPI } from "pyodide";
import type { ArrivingParts, ImageOrigin, StartFolders, StartImage } from "../../protocol/start.ts";
import type { Stopwatch } from "../../protocol/stopwatch.ts";
import {
  type CreateModule,
  creatingImageModule,
  fingerprintOf,
  type ImageModule,
  NO_SNAPSHOT,
} from "./image-module.ts";
import { receiveParts } from "./image-parts.ts";
import { restoreMemory } from "./memory-image.ts";
import { importCreateModule, importPyodide, START_OPTIONS } from "./pyodide-modules.ts";

type LoadPyodide = (options: object) => Promise<PyodideAPI>;

/** A start that is neither done nor failed by then will never be. */
const TIMEOUT_MS = 60_000;

/** An archive without entries: the image has imported from the standard library what it needs. */
const EMPTY_ZIP = new Uint8Array(22);
EMPTY_ZIP.set([0x50, 0x4b, 5, 6]);

/** Restores an interpreter; rejects, with a clause that says why, where that cannot be. */
export function startFromImage(
  folders: StartFolders,
  image: StartImage,
  stopwatch: Stopwatch,
): Promise<PyodideAPI> {
  const parts = receiveParts(image.parts);
  const { fetch } = globalThis;
  const wait = new AbortController();
  const restored = restoreInterpreter(folders, image, parts, stopwatch, wait.signal);
  return inTime(parts, restored).finally(() => {
    // A start that hangs does not put back what it has taken, and another one follows in this
    // worker, from which one that goes on behind it would take the same.
    wait.abort();
    globalThis.fetch = fetch;
  });
}

/** The same from parts that are here, or on their way; an abort keeps it from the interpreter. */
export async function restoreInterpreter(
  folders: StartFolders,
  origin: ImageOrigin,
  parts: ArrivingParts,
  stopwatch: Stopwatch,
  signal?: AbortSignal,
): Promise<PyodideAPI> {
  const [loader, createModule] = await stopwatch.time("load", () =>
    Promise.all([importPyodide(folders), importCreateModule(folders)]),
  );
  signal?.throwIfAborted();
  const pyodide = await restoreWith({ loader, createModule }, folders, origin, parts, stopwatch);
  seedChance(pyodide);
  return pyodide;
}

/** Pyodide's modules, as they were imported. */
export interface PyodideCode {
  readonly loader: Pick<typeof import("pyodide"), "loadPyodide" | "version">;
  readonly createModule: CreateModule;
}

/** Gives `random` a state of its own: the image has that of the machine that made it. */
export function seedChance(pyodide: PyodideAPI): void {
  pyodide.pyimport("random").seed();
}

/** The same from modules that are here, without entropy; see `seedChance`. */
export async function restoreWith(
  { loader, createModule }: PyodideCode,
  folders: StartFolders,
  origin: ImageOrigin,
  parts: ArrivingParts,
  stopwatch: Stopwatch,
): Promise<PyodideAPI> {
  if (loader.version !== origin.pyodideVersion) {
    throw new Error(`the image is of Pyodide ${origin.pyodideVersion}, not ${loader.version}`);
  }
  const onModule = async (module: ImageModule) => {
    const fingerprint = fingerprintOf(module);
    if (fingerprint !== origin.fingerprint) {
      throw new Error(`this engine numbers functions differently (${fingerprint})`);
    }
    const memory = await parts.memory;
    module.API.restoreSnapshot = () =>
      stopwatch.timeNow("restore", () => restoreMemory(module, memory));
  };
  // The options of an image are not among those that Pyodide publishes.
  const loadPyodide = loader.loadPyodide as unknown as LoadPyodide;
  return stopwatch.time("interpreter", () =>
    withoutFetching(folders, () =>
      loadPyodide({
        ...START_OPTIONS,
        indexURL: folders.pyodide,
        packageBaseUrl: folders.packages,
        lockFileContents: NO_PACKAGES,
        _loadSnapshot: NO_SNAPSHOT,
        createPyodideModule: creatingImageModule(createModule, parts, onModule),
      }),
    ),
  );
}

/** The loader looks at this before it loads a package, and nobody does. */
const NO_PACKAGES = {
  info: { abi_version: "2026_0", arch: "wasm32", platform: "emscripten_5_0_3", python: "3.14.2" },
  packages: {},
};

/**
 * Keeps Pyodide from fetching what is there already.
 *
 * It fetches its code and the standard library by itself and has no option against that; both are
 * answered here, and neither answer's content is used.
 */
async function withoutFetching<Outcome>(
  { pyodide }: StartFolders,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  const { fetch } = globalThis;
  const answered = new Set([`${pyodide}pyodide.asm.wasm`, `${pyodide}python_stdlib.zip`]);
  const answer: typeof fetch = async (input, init) =>
    answered.has(input instanceof Request ? input.url : String(input))
      ? emptyAnswer()
      : fetch(input, init);
  globalThis.fetch = answer;
  try {
    return await work();
  } finally {
    // A start that was given up has been taken it away from already, and another may have its own.
    if (globalThis.fetch === answer) {
      globalThis.fetch = fetch;
    }
  }
}

/**
 * Returns as much of an answer as the loader looks at.
 *
 * Not a `Response`: where nothing may be waited for, as in the global scope of workerd, its body
 * cannot be read.
 */
function emptyAnswer(): Response {
  const answer = { ok: true, arrayBuffer: async () => EMPTY_ZIP.buffer };
  // The loader asks for these two alone, and hands the one for its code to nobody.
  return answer as unknown as Response;
}

/** Returns what work comes to; rejects where it takes too long, the wait for its parts aside. */
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
