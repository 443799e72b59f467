/** The page's one client: it starts Python once and holds one mounted tree at a time. */

import { type Signal, signal } from "@preact/signals";
import {
  type ConfigDocument,
  type ConnectOptions,
  connect,
  type MountReport,
  type TimedProgressEvent,
  type TreeglassClient,
  TreeglassError,
} from "../../index.ts";
import { configOffering, editingFamily } from "../model-tools.ts";
import { MOUNT_PATH, type ToolFamily } from "../tool-notes.ts";
import { type ChosenTree, type FetchFile, pinLink } from "./linked-tree.ts";
import { PAGE_LIMITS } from "./mount-failure.ts";

/** The functions by which the page starts its client, and reads the files beside it. */
export interface PageHost {
  connect(options: ConnectOptions): Promise<TreeglassClient>;
  readonly fetchFile: FetchFile;
  /** True if no other page lies beside this one, such as the documentation. @default false */
  readonly isAlone?: boolean;
}

/** A page whose files lie beside it. */
export const SERVED: PageHost = { connect, fetchFile: (address, init) => fetch(address, init) };

/** The tools and the settings that the client is configured with. */
interface Offer {
  /** The family whose tools change files; undefined without one. */
  readonly editing: ToolFamily | undefined;
  /** The visitor's configuration. */
  readonly own: ConfigDocument;
}

/** The family whose changing tools a running turn of a model uses. */
export type TurnFamily = Signal<ToolFamily | undefined>;

/** Says why no other family's tools are offered. */
export function wordTurn(inUse: ToolFamily): string {
  return `The model's running turn uses the ${inUse} tools; those of another family are offered after it.`;
}

export class MountedClient {
  readonly client: TreeglassClient;
  readonly #fetchFile: FetchFile;
  /** The mounted tree; null if no tree is mounted. */
  choice: ChosenTree | null = null;
  #offer: Offer = { editing: undefined, own: {} };
  #configured: Promise<unknown> = Promise.resolve();
  readonly #turnFamily: TurnFamily;

  /** Takes a client that has no mount. */
  constructor(
    client: TreeglassClient,
    { fetchFile }: PageHost = SERVED,
    turnFamily: TurnFamily = signal(undefined),
  ) {
    this.client = client;
    this.#fetchFile = fetchFile;
    this.#turnFamily = turnFamily;
  }

  /**
   * Offers the tools of a family that change files, beside all that read.
   *
   * @throws `BadRequest` while a turn of a model uses those of another family.
   */
  offerEditing(editing: ToolFamily | undefined): Promise<void> {
    return this.#change(() => ({ editing }));
  }

  /** Offers a tool that changes files, with its family, unless a tool of its name is offered. */
  async offerTool(toolName: string): Promise<void> {
    const editing = editingFamily(toolName);
    if (editing !== undefined) {
      await this.#change(async () => {
        const offered = await this.client.listTools();
        return offered.some(({ name }) => name === toolName) ? {} : { editing };
      });
    }
  }

  /**
   * Uses the visitor's configuration, beside the tools that the page offers.
   *
   * @throws `ConfigInvalid`; the earlier configuration then stays.
   */
  configure(own: ConfigDocument): Promise<void> {
    return this.#change(() => ({ own }));
  }

  /** Makes one change after the other: each keeps what those before it have set. */
  #change(decide: () => Partial<Offer> | Promise<Partial<Offer>>): Promise<void> {
    const changed = this.#configured.then(async () => {
      const { editing, own } = { ...this.#offer, ...(await decide()) };
      const inUse = this.#turnFamily.value;
      if (inUse !== undefined && editing !== this.#offer.editing && editing !== inUse) {
        throw new TreeglassError("BadRequest", wordTurn(inUse));
      }
      if (editing !== this.#offer.editing || own !== this.#offer.own) {
        await this.client.configure(configOffering(editing, own));
        this.#offer = { editing, own };
      }
    });
    this.#configured = changed.catch(() => undefined);
    return changed;
  }

  /**
   * Mounts a tree in place of the mounted one, and forgets what was proposed for that.
   *
   * @throws the error of the mount; the earlier tree then stays mounted.
   */
  async mount(
    choice: ChosenTree,
    onProgress: (event: TimedProgressEvent) => void,
    signal: AbortSignal,
  ): Promise<MountReport> {
    const source = await choice.open(signal, this.#fetchFile);
    const options = { onProgress, signal, limits: PAGE_LIMITS, replace: true };
    const report = await this.client.mount(MOUNT_PATH, source, options);
    // By its steps: a configuration or a kept state may have let it change files, too. The first
    // mount drops nothing, and so fetches no code for changes.
    if (this.choice !== null && (await this.client.changes()).steps.length > 0) {
      await this.client.discardChanges();
    }
    const { link } = choice;
    this.choice = link === undefined ? choice : { ...choice, link: pinLink(link, report.origin) };
    return report;
  }
}
