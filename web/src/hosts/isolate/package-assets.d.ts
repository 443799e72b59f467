/** The package's own files, which the build turns into static imports: a Worker has no assets to fetch. */
declare module "treeglass:assets" {
  import type { PackageAssets } from "./interpreter.ts";

  export const code: PackageAssets["code"];
  export const interpreter: PackageAssets["interpreter"];
  export const sideModule: PackageAssets["sideModule"];
  export const lateParts: PackageAssets["lateParts"];
  export const memory: PackageAssets["memory"];
  export const origin: PackageAssets["origin"];
  export const archives: PackageAssets["archives"];
}
