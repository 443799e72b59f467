/** A mounted tree, with the client that calls tools on it. */
import type { TreeglassClient } from "../../index.ts";

export interface OpenTree {
  readonly client: TreeglassClient;
  readonly mountPath: string;
}
