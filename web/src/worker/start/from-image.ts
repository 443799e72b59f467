/** The start from an image: an interpreter whose memory already holds the tools. */
import type { PyodideAPI } from "pyodide";
import { withResolvers } from "../../lib/promises.ts";
import { AssetFault } from "../../protocol/asset-files.ts";
import type {
  ArrivingParts,
  ImageOrigin,
  ImagePart,
  ImageParts,
  SentCode,
  StartFolders,
} from "../../protocol/start.ts";
import type { Stopwatch } from "../../protocol/stopwatch.ts";
import type { WorkerHost } from "../worker-host.ts";
import { LateCode } from "./late-files.ts";
import { creatingImageModule, type Link } from "./patches/code.ts";
import {
  fingerprintOf,
  NO_SNAPSHOT,
  restoreMemory,
  restoringBy,
  withoutCompiling,
} from "./patches/memory.ts";
import type { CreateModule, EmscriptenModule } from "./patches/pyodide-types.ts";
import {
  answeringFetch,
  importCreateModule,
  importPyodide,
  loadInterpreter,
  STANDARD_LIBRARY,
} from "./pyodide-modules.ts";

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
  const load = () =>
    loadInterpreter(loader, folders, {
      lockFileContents: NO_PACKAGES,
      _loadSnapshot: NO_SNAPSHOT,
      createPyodideModule: creatingImageModule(createModule, parts, onModule, link),
    });
  // Pyodide fetches the library, and the image has what is used of it.
  const unused = `${folders.pyodide}${STANDARD_LIBRARY}`;
  const answer = async (address: string) => (address === unused ? emptyAnswer() : null);
  return stopwatch.time("interpreter", () => answeringFetch(answer, load, signal));
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

/** The parts of the image of one start; each rejects with the reason if it cannot be used. */
export class ImageArrival {
  readonly #arriving = {
    interpreter: arriving<ImageParts["interpreter"]>(),
    sideModule: arriving<ImageParts["sideModule"]>(),
    memory: arriving<ImageParts["memory"]>(),
  };
  readonly parts: ArrivingParts = {
    interpreter: this.#arriving.interpreter.promise,
    sideModule: this.#arriving.sideModule.promise,
    memory: this.#arriving.memory.promise,
  };

  receive(part: ImagePart): void {
    switch (part.name) {
      case "interpreter":
      case "sideModule":
        this.#arriving[part.name].resolve(compiled(part.part));
        break;
      case "memory":
        this.#arriving.memory.resolve(part.part);
        break;
      case "fault":
        this.#failAll(part.isOfFile ? new AssetFault(part.reason) : new Error(part.reason));
    }
  }

  refuse(): void {
    this.#failAll(new Error("a part of the image could not be read"));
  }

  #failAll(reason: Error): void {
    for (const { reject } of Object.values(this.#arriving)) {
      reject(reason);
    }
  }
}

function arriving<Part>() {
  const part = withResolvers<Part>();
  // After a failure of another part, no code handles the rejection of this one.
  part.promise.catch(() => undefined);
  return part;
}

async function compiled(code: SentCode): Promise<WebAssembly.Module> {
  return code instanceof Uint8Array ? WebAssembly.compile(code) : code;
}
