/** What a client needs of the place that it runs in. */
import type { TreeglassError } from "../protocol/errors.ts";
import type { ToHostPath } from "./client-session.ts";
import type { StartFetch } from "./start-files.ts";
import type { WorkerLike } from "./worker-process.ts";

/**
 * One kind of place, such as a page; `WorkerHost` is the worker's counterpart.
 *
 * Each folder of `hosts/` whose clients have workers implements it as one object, in its
 * `client-host.ts`.
 */
export interface ClientHost {
  /** Whether client and worker can share memory, so that the client can interrupt a call. */
  readonly sharesMemory: boolean;
  /**
   * Returns the absolute address of an assets folder, which ends in a slash.
   *
   * Throws `BadRequest` for a malformed address, and `StartFailed` outside of this kind of place.
   */
  resolveAssets(assets: string | URL | undefined): string;
  /** Begins to read the files that a start needs, or joins an earlier call; never throws. */
  fetchStartFiles(assets: string): StartFetch;
  /** Starts a worker for this assets folder; throws `StartFailed` if it cannot. */
  makeWorker(assets: string): WorkerLike;
  /** Returns the error that says why a start failed, if this place knows more than the error. */
  readonly explainFailure?: (error: TreeglassError, assets: string) => Promise<TreeglassError>;
  /** Keeps the program running until the returned function is called; missing if it runs anyway. */
  readonly stayAlive?: () => () => void;
  /** Missing if the worker cannot read folders of the machine. */
  readonly toHostPath?: ToHostPath;
}
