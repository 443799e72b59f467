/** A running interpreter that has the wheel: text in, text out. */
import type { PyodideAPI } from "pyodide";
import { TreeglassError } from "../../protocol/errors.ts";
import type { Zlib } from "../../sources/source-context.ts";
import { type Bridge, InterpreterFailed } from "../bridge.ts";
import type { TreeCalls } from "../tree-calls.ts";
import { InterpreterZlib, zlibModuleOf } from "./interpreter-zlib.ts";
import type { LateModules } from "./late-modules.ts";

export interface Runtime {
  /** The archives that a request may have to wait for; null if all modules are there. */
  readonly late: LateModules | null;
  /** Fetches what the start has left out and calls need; repeatable. Missing if all code is there. */
  readonly fetchLateCode?: () => void;
  /** Returns the interpreter's zlib, which the first file of an archive needs. */
  readonly zlib: () => Zlib;
  /**
   * Makes a bridge with mounts, a configuration and tools of its own.
   *
   * `trees` are those that it may mount.
   *
   * Throws `InterpreterFailed` if the interpreter has died.
   */
  openBridge(trees: TreeCalls): Bridge;
  /**
   * Stops the running request when the first byte of the buffer becomes 2; null ends that.
   *
   * A stopped request throws out of its bridge, and the next one runs as usual. A signal that comes
   * too late stops the next request: clear the buffer before each.
   */
  setInterruptBuffer(buffer: Uint8Array | null): void;
}

/** Returns the runtime of an interpreter that can import the wheel. */
export function runtimeOf(
  pyodide: PyodideAPI,
  late: LateModules | null,
  fetchLateCode?: () => void,
): Runtime {
  // A line of Python would do the same, but Python would have to compile it first.
  const bridgeClass = pyodide.pyimport("treeglass.bridge").Bridge;
  if (typeof bridgeClass !== "function") {
    throw new TreeglassError("StartFailed", "The wheel has no bridge; install the package again.");
  }
  let zlib: Zlib | null = null;
  return {
    late,
    zlib() {
      zlib ??= new InterpreterZlib(zlibModuleOf(pyodide));
      return zlib;
    },
    ...(fetchLateCode && { fetchLateCode }),
    openBridge(trees) {
      const handle: unknown = orFailed(() => bridgeClass(trees).handle);
      if (typeof handle !== "function") {
        throw new TreeglassError(
          "StartFailed",
          "The wheel's bridge has no function to call; install the package again.",
        );
      }
      return handle as Bridge;
    },
    setInterruptBuffer(buffer) {
      // Pyodide cannot remove a buffer, so a private one takes its place.
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
