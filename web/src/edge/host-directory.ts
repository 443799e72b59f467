/** A folder of this machine as a tree: nothing is listed or read before somebody looks. */
import type { HostDirectoryOpener } from "../sources/source-context.ts";

export const openHostDirectory: HostDirectoryOpener = () => {
  throw new Error("not yet");
};
