/** What a client and its worker tell each other while the tools start. */

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

/** A step of a start. */
export interface StartPhase {
  /**
   * `fetch`: start.json and the image's files arrive, are checked and compiled; `worker`: the
   * worker's module loads; `load`: Pyodide's modules load; `interpreter`: an interpreter comes up;
   * `restore`: the image takes the place of its memory; `packages`: the wheels are imported;
   * `configure`: the bridge is made and configured. The first two run at the same time.
   */
  readonly name: "fetch" | "worker" | "load" | "interpreter" | "restore" | "packages" | "configure";
  /** When it began, in milliseconds: on the wire since 1970, for the page since `connect()`. */
  readonly startedMs: number;
  readonly elapsedMs: number;
}

/** How the tools started. */
export interface StartReport {
  /** From the memory image, or by importing the packages; the tools answer alike. */
  readonly way: "image" | "packages";
  /** Why the image was not used; null where it was. */
  readonly reason: string | null;
  readonly phases: readonly StartPhase[];
  /** From `connect()` until the client could be used, in milliseconds. */
  readonly elapsedMs: number;
}

/** The worker's part of a report. */
export type WorkerStart = Omit<StartReport, "elapsedMs">;
