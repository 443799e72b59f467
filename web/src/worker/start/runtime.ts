/** A running interpreter with the wheel in it: text in, text out. */
import type { PyodideAPI } from "pyodide";
import { isRecord } from "../../lib/checks.ts";
import { TreeglassError } from "../../protocol/errors.ts";
import { type Bridge, InterpreterFailed } from "../bridge.ts";
import type { EmscriptenFs } from "../emscripten-fs.ts";
import type { LateModules } from "./late-modules.ts";

/** What the worker needs of an interpreter. */
export interface Runtime {
  readonly fs: EmscriptenFs;
  /** What a request may have to wait for; null where all modules are there. */
  readonly late: LateModules | null;
  /**
   * Makes a bridge with mounts, a configuration and tools of its own.
   *
   * Throws `InterpreterFailed` where the interpreter has died.
   */
  openBridge(): Bridge;
  /**
   * Lets whoever shares the buffer stop what runs, by a 2 in its first byte; null takes it back.
   *
   * What was stopped throws out of its bridge, and the next request is answered as ever. One that
   * comes too late stops the next: clear the buffer before each request.
   */
  setInterruptBuffer(buffer: Uint8Array | null): void;
}

/** Returns the runtime of an interpreter that can import the wheel. */
export function runtimeOf(pyodide: PyodideAPI, late: LateModules | null): Runtime {
  // To run a line of Python instead would have it compiled first, by Python itself.
  const bridgeClass = pyodide.pyimport("treeglass.bridge").Bridge;
  if (typeof bridgeClass !== "function") {
    throw new TreeglassError("StartFailed", "The wheel has no bridge; install the package again.");
  }
  return {
    fs: emscriptenFs(pyodide),
    late,
    openBridge() {
      const handle: unknown = orFailed(() => bridgeClass().handle);
      if (typeof handle !== "function") {
        throw new TreeglassError("StartFailed", "The wheel's bridge cannot be asked.");
      }
      return (requestText) => {
        const answer: unknown = handle(requestText);
        if (typeof answer !== "string") {
          // It has no other answers; one that died in the midst of a call may return anything.
          throw new InterpreterFailed(new TypeError(`the bridge answered with a ${typeof answer}`));
        }
        return answer;
      };
    },
    setInterruptBuffer(buffer) {
      // Taken back by a buffer that nobody else holds: the runtime has no other way.
      pyodide.setInterruptBuffer(buffer ?? new Uint8Array(1));
    },
  };
}

function orFailed<Made>(make: () => Made): Made {
  try {
    return make();
  } catch (cause) {
    throw new InterpreterFailed(cause);
  }
}

/** Returns an interpreter's filesystem; throws `StartFailed` where it is none that can be used. */
export function emscriptenFs(pyodide: PyodideAPI): EmscriptenFs {
  const fs: unknown = pyodide.FS;
  if (!isEmscriptenFs(fs)) {
    throw new TreeglassError(
      "StartFailed",
      "The runtime's filesystem is another one than expected; use the Pyodide that is in the package's assets folder.",
    );
  }
  return fs;
}

/** Tells whether an object is Emscripten's filesystem, as far as a mount needs it. */
export function isEmscriptenFs(fs: unknown): fs is EmscriptenFs {
  const needed = [
    "ErrnoError",
    "createNode",
    "destroyNode",
    "closeStream",
    "mkdirTree",
    "rmdir",
    "mount",
    "unmount",
  ];
  return isRecord(fs) && needed.every((name) => typeof fs[name] === "function");
}
