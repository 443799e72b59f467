/** What a client and its worker tell each other while the tools start. */
import { isCount, isRecord, isStringRecord } from "../lib/checks.ts";
import type { StartPhase, StartReport } from "./start-report.ts";

/** Where the worker finds the runtime: absolute addresses that end in a slash. */
export interface StartFolders {
  /** What the page calls its assets; only messages name it. */
  readonly assets: string;
  /** Pyodide's own files. */
  readonly pyodide: string;
  /** The lock and the wheels. */
  readonly packages: string;
}

/** What an image is bound to. */
export interface ImageOrigin {
  /** The Pyodide that it was made with, and no other can use. */
  readonly pyodideVersion: string;
  /** Where that Pyodide put its functions; an engine that puts them elsewhere cannot use it. */
  readonly fingerprint: number;
  /** The archives that it has modules of, by file name, each with its integrity: `sha256-...`. */
  readonly archives: Readonly<Record<string, string>>;
}

/** An interpreter that has imported the tools already, part by part. */
export interface ImageParts {
  readonly interpreter: WebAssembly.Module;
  /** The compiled part of the wheels. */
  readonly sideModule: WebAssembly.Module;
  /** What differs from a fresh interpreter's memory; see `worker/start/memory-image.ts`. */
  readonly memory: Uint8Array<ArrayBuffer>;
}

/** The parts of an image on their way: each can be used before the next is there. */
export type ArrivingParts = { readonly [Name in keyof ImageParts]: Promise<ImageParts[Name]> };

/** An image as the worker gets it. */
export interface StartImage extends ImageOrigin {
  /** Brings a `PartMessage` for each part as soon as it is there. */
  readonly parts: MessagePort;
}

/** Code, compiled by the page or as it is. */
export type SentCode = WebAssembly.Module | Uint8Array<ArrayBuffer>;

/** The parts of an image as a page has them on their way. */
export interface SentParts {
  readonly interpreter: Promise<SentCode>;
  readonly sideModule: Promise<SentCode>;
  readonly memory: ArrivingParts["memory"];
}

/** A part of an image, or why it cannot be had. */
export type PartMessage =
  | { readonly name: "interpreter" | "sideModule"; readonly part: SentCode }
  | { readonly name: "memory"; readonly part: ImageParts["memory"] }
  | { readonly name: "fault"; readonly reason: string };

/** The worker's part of a report. */
export type WorkerStart = Omit<StartReport, "elapsedMs">;

export function isStartFolders(folders: unknown): folders is StartFolders {
  return (
    isRecord(folders) &&
    [folders.assets, folders.pyodide, folders.packages].every(
      (address) => typeof address === "string",
    )
  );
}

export function isStartImage(image: unknown): image is StartImage {
  return (
    isRecord(image) &&
    image.parts instanceof MessagePort &&
    typeof image.pyodideVersion === "string" &&
    isCount(image.fingerprint) &&
    isStringRecord(image.archives)
  );
}

export function isWorkerStart(result: unknown): result is WorkerStart {
  return (
    isRecord(result) &&
    (result.way === "image" || result.way === "packages") &&
    (result.reason === null || typeof result.reason === "string") &&
    Array.isArray(result.phases) &&
    result.phases.every(isStartPhase)
  );
}

function isStartPhase(phase: unknown): phase is StartPhase {
  return (
    isRecord(phase) &&
    typeof phase.name === "string" &&
    typeof phase.startedMs === "number" &&
    typeof phase.elapsedMs === "number"
  );
}
