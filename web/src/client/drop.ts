/** What was dropped, with its files not yet listed; made by `collectDrop`, for `mount`. */
export interface Drop {
  /** The names of the files and folders that were dropped, without what is in them. */
  readonly names: readonly string[];
  /** The name of the folder, where one folder is all that was dropped; else null. */
  readonly folder: string | null;
}
