/** The options of `connect` and `preload`. */
import type { ConfigDocument, ToolFamily } from "../generated/config.ts";
import { isRecord } from "../lib/checks.ts";
import type { TimedProgressEvent } from "../protocol/mount-report.ts";
import {
  ADDRESS,
  BOOLEAN,
  checkedOptions,
  FUNCTION,
  type OptionRules,
  rule,
  SIGNAL,
  VIRTUAL_PATH,
} from "../protocol/options.ts";

/** The place of the runtime. */
export interface AssetsOptions {
  /**
   * The folder with the runtime and the wheels. @default "assets/" beside this module
   */
  readonly assets?: string | URL;
}

/** Options of `connect`. */
export interface ConnectOptions extends AssetsOptions {
  /** The configuration. @default every table's defaults */
  readonly config?: ConfigDocument;
  /**
   * Whose tools `listTools` and the adapters offer: `config.tools.family`, in one word. With a
   * family, other tools are unknown; without one, `callTool` runs every tool by its name.
   * @default "codex", unless `config` names tools
   */
  readonly family?: ToolFamily;
  /** The virtual directory that the tools call the project. @default the only mount, else "/" */
  readonly projectRoot?: string;
  /** The virtual directory that relative paths start from. @default the project root */
  readonly workingDir?: string;
  /**
   * True if the client shares one worker with the page's other shared clients of the same assets.
   * It sees only its own mounts and settings, starts at once if the worker runs already, and costs
   * no memory of its own. But the worker runs one request at a time, so a long call of one client
   * delays the others. The worker ends with its last client. @default false
   */
  readonly shared?: boolean;
  readonly onProgress?: (event: TimedProgressEvent) => void;
  /**
   * The changes that `saveState` returned; they are there once their trees are mounted. `connect`
   * rejects with `StateInvalid` for any other bytes.
   */
  readonly state?: Uint8Array;
  /**
   * Called once for each new version of the changes, before the call or the decision that made it
   * gets its answer.
   */
  readonly onChanges?: (event: { readonly version: number }) => void;
  /** Aborting ends the worker, if no other client shares it. */
  readonly signal?: AbortSignal;
}

const ASSETS_RULES: OptionRules<AssetsOptions> = { assets: ADDRESS };

export const CONFIG = rule("an object with the tables of the configuration", isRecord);

export const STATE = rule("the bytes of saveState", ArrayBuffer.isView);

const FAMILIES: readonly unknown[] = ["codex", "envelope", "forge", "all"] satisfies ToolFamily[];

const FAMILY = rule('"codex", "envelope", "forge" or "all"', (value) => FAMILIES.includes(value));

const CONNECT_RULES: OptionRules<ConnectOptions> = {
  ...ASSETS_RULES,
  config: CONFIG,
  family: FAMILY,
  onChanges: FUNCTION,
  onProgress: FUNCTION,
  projectRoot: VIRTUAL_PATH,
  shared: BOOLEAN,
  signal: SIGNAL,
  state: STATE,
  workingDir: VIRTUAL_PATH,
};

/** Returns the options of `connect`; throws for an unknown or invalid one. */
export function checkedConnectOptions(options: ConnectOptions): ConnectOptions {
  return checkedOptions("connect", options, CONNECT_RULES);
}

/** Returns the options of `preload`; throws `BadRequest` for an unknown or invalid one. */
export function checkedAssetsOptions(options: AssetsOptions): AssetsOptions {
  return checkedOptions("preload", options, ASSETS_RULES);
}
