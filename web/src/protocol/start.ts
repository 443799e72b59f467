/** The messages of a start, between a client and its worker. */

import type { StartReport } from "./start-report.ts";

/** The folders of the runtime: absolute addresses that end in a slash. */
export interface StartFolders {
  /** The assets folder; only error messages name it. */
  readonly assets: string;
  /** Pyodide's own files. */
  readonly pyodide: string;
  /** The lock and the wheels. */
  readonly packages: string;
  /** The files of a start by their absolute addresses, each with its integrity: `sha256-...`. */
  readonly files: Readonly<Record<string, string>>;
  /** Why start.json cannot be used, as a clause; null if it can. */
  readonly fault: string | null;
}

/** The Pyodide, the engines and the archives that an image fits. */
export interface ImageOrigin {
  /** The image was made with this Pyodide, and no other can use it. */
  readonly pyodideVersion: string;
  /** A hash of the numbers that Pyodide's functions must have; see `fingerprintOf`. */
  readonly fingerprint: number;
  /** The archives of its modules, by file name, each with its integrity: `sha256-...`. */
  readonly archives: Readonly<Record<string, string>>;
}

/** The parts of an interpreter that has already imported the tools. */
export interface ImageParts {
  readonly interpreter: WebAssembly.Module;
  /** The compiled part of the wheels. */
  readonly sideModule: WebAssembly.Module;
  /** The differences from a fresh interpreter's memory; see `worker/start/patches/memory.ts`. */
  readonly memory: Uint8Array<ArrayBuffer>;
}

/** The parts of an image while they arrive: each can be used before the next. */
export type ArrivingParts = { readonly [Name in keyof ImageParts]: Promise<ImageParts[Name]> };

/** Code, compiled by the page or as bytes. */
export type SentCode = WebAssembly.Module | Uint8Array<ArrayBuffer>;

/** The parts of an image while the page fetches them. */
export interface SentParts {
  readonly interpreter: Promise<SentCode>;
  readonly sideModule: Promise<SentCode>;
  readonly memory: ArrivingParts["memory"];
}

/** A part of an image, or why a part is missing. */
export type ImagePart =
  | { readonly name: "interpreter" | "sideModule"; readonly part: SentCode }
  | { readonly name: "memory"; readonly part: ImageParts["memory"] }
  | {
      readonly name: "fault";
      readonly reason: string;
      /** True if a file is missing or damaged, so that no start may follow. */
      readonly isOfFile: boolean;
    };

/** The worker's share of a `StartReport`. */
export type WorkerStart = Omit<StartReport, "elapsedMs">;
