/** The place that a worker runs in, as the worker uses it. */
import type { AssetReader } from "../protocol/asset-files.ts";
import type { TreeglassError } from "../protocol/errors.ts";
import type { WorkerMessage } from "../protocol/messages.ts";
import type { SourceHost } from "../sources/source-context.ts";

/**
 * One kind of place, such as a page's worker; `ClientHost` is the client's counterpart.
 *
 * Each folder of `hosts/` that has a worker implements it as one object, in its
 * `worker/worker-host.ts`. A place without workers implements `SourceHost`, since its interpreter
 * starts from files of its bundle.
 */
export interface WorkerHost extends SourceHost {
  /** Missing if Pyodide can fetch and import the assets from their addresses by itself. */
  readonly readAsset?: AssetReader;
  /**
   * Returns a file of the assets without a wait; throws if it cannot be read.
   *
   * Missing where no file can be read in this way; there the modules of a start must be whole.
   */
  readonly readAssetNow?: (address: string) => Uint8Array<ArrayBuffer>;
  /** Imports a JavaScript module of the assets by its absolute address. */
  importModule(address: string): Promise<unknown>;
  /** Begins to note what `explainFailure` knows of an assets folder; called before it is read. */
  readonly watch?: (assets: string) => void;
  /** Throws `StartFailed` if this place cannot run the tools. */
  readonly requireAbility?: () => void;
  /** Returns the error that says why a start failed, if this place knows more than the error. */
  readonly explainFailure?: (error: TreeglassError, assets: string) => Promise<TreeglassError>;
  /** Returns the message for assets that are missing or damaged; `what` is a clause. */
  wordMissingAssets(assets: string, what: string): string;
}

/** The worker's own scope, or a port that stands for it. */
export interface MessageEndpoint {
  postMessage(message: WorkerMessage): void;
  addEventListener(
    type: "message" | "messageerror",
    listener: (event: { readonly data: unknown }) => void,
  ): void;
}
