/** The package's own files, which the build makes static imports of: a Worker can fetch nothing. */
declare module "treeglass:assets" {
  import type { PackageAssets } from "./interpreter.ts";

  export const code: PackageAssets["code"];
  export const interpreter: PackageAssets["interpreter"];
  export const sideModule: PackageAssets["sideModule"];
  export const memory: PackageAssets["memory"];
  export const origin: PackageAssets["origin"];
  export const archives: PackageAssets["archives"];
}
