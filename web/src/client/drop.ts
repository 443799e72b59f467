/** A drop whose files are not listed yet; `collectDrop` makes it for `mount`. */
export interface Drop {
  /** The names of the dropped files and folders, without their content. */
  readonly names: readonly string[];
  /** The name of the folder if exactly one folder was dropped; else null. */
  readonly folder: string | null;
}
