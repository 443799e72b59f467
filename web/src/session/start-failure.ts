/** The errors of a worker that does not start; their advice depends on the place. */
import { TreeglassError } from "../protocol/errors.ts";

export interface StartWords {
  /** The message if the worker's module does not load, with the cure. */
  readonly didNotLoad: string;
  /** Follows `if it fails again,`. */
  readonly ifItFailsAgain: string;
  /** The advice if the start neither fails nor ends. */
  readonly ifItTookTooLong: string;
}

/** Returns the messages for a page whose worker has this address, of the page's own origin. */
export function inPage(worker: string): StartWords {
  return {
    didNotLoad: `The worker did not start from ${worker}. Run npx treeglass assets public/treeglass, and pass its address as connect({ assets: '/treeglass/' }); or serve it there for a browser with module workers.`,
    ifItFailsAgain: "close other tabs, since it may be out of memory",
    ifItTookTooLong: "try again, over a faster connection if this one is slow",
  };
}

/** Returns the messages for a page whose worker comes from another origin. */
export function importedFrom({ href, origin }: URL): StartWords {
  return {
    ...inPage(href),
    didNotLoad: `The worker did not start from ${href}, which is not of the page's own origin; send it with Access-Control-Allow-Origin, and where the page has a Content-Security-Policy, allow blob: in its worker-src and ${origin} in its script-src.`,
  };
}

/** Returns the messages for a page that has to vouch for the worker's address first. */
export function untrusted(worker: string): StartWords {
  return {
    ...inPage(worker),
    didNotLoad: `The page's policy (require-trusted-types-for 'script') keeps the worker from starting from ${worker}. Before connect(), allow its address: trustedTypes.createPolicy("default", { createScriptURL: (address) => (address === "${worker}" ? address : null) }).`,
  };
}

/** The worker's module does not load, or never sends its hello. */
export function didNotStart(words: StartWords, cause: unknown): TreeglassError {
  return new TreeglassError("StartFailed", words.didNotLoad, { cause });
}

/** The worker says hello by another protocol. */
export function mixedReleases(wanted: number, given: number | undefined): TreeglassError {
  const theirs = given === undefined ? "names none" : `speaks protocol ${given}`;
  return new TreeglassError(
    "StartFailed",
    `The client asked for a worker that speaks protocol ${wanted}, and the one that started ${theirs}: they are of different releases. Deploy the client's script and the assets folder of one release of the package.`,
  );
}

/** The worker failed after its hello. */
export function failedToStart(words: StartWords, reason: string | undefined): TreeglassError {
  const known = (reason || "no reason was given").replace(/\.$/, "");
  return new TreeglassError(
    "StartFailed",
    `The worker failed while it started: ${known}. Connect again; if it fails again, ${words.ifItFailsAgain}.`,
  );
}

/** The worker sent its hello, and the start did not end. */
export function startTookTooLong(words: StartWords, timeoutMs: number): TreeglassError {
  return new TreeglassError(
    "StartFailed",
    `The runtime did not start within ${timeoutMs / 1000} seconds; ${words.ifItTookTooLong}.`,
  );
}
