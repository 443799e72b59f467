/** The package's own files, which the build makes static imports of: a Worker can fetch nothing. */
declare module "treeglass:assets" {
  import type { ImageOrigin } from "../protocol/start.ts";
  import type { PyodideCode } from "../worker/start/from-image.ts";

  export const code: PyodideCode;
  export const interpreter: WebAssembly.Module;
  export const sideModule: WebAssembly.Module;
  export const memory: ArrayBuffer;
  export const origin: ImageOrigin;
  /** The archives that `origin` names, by file name. */
  export const archives: Readonly<Record<string, ArrayBuffer>>;
}
