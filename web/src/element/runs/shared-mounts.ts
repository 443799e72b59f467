/** Shares one client among all demos of a page that mount the same tree. */
import type { TimedProgressEvent, TreeglassClient } from "../../index.ts";
import type { MountRequest } from "./demo-call.ts";
import { loadClientModule } from "./late-modules.ts";

/** The listener for progress while a client opens, and the signal that abandons the opening. */
export interface OpeningOptions {
  readonly onProgress: (event: TimedProgressEvent) => void;
  readonly signal: AbortSignal;
}

/** Connects a client and mounts the tree; if it rejects, no client stays open. */
export type OpenMount = (
  request: MountRequest,
  options: OpeningOptions,
) => Promise<TreeglassClient>;

/** One demo's share in a mount; the demo must release it. */
export interface MountShare {
  readonly key: string;
  readonly mountPath: string;
  /** Rejects if the tree cannot be mounted, and with an abort if every share was released first. */
  readonly client: Promise<TreeglassClient>;
  readonly isOpen: boolean;
  /** True if the mount failed or is lost, or the share was released: only a new `join` helps. */
  readonly isEnded: boolean;
  /** Declares the client or its mount lost: the next `join` opens a new client. */
  markLost(): void;
  /** Ends the share; releasing the last share closes the client. May be called twice. */
  release(): void;
}

class SharedMount {
  readonly client: Promise<TreeglassClient>;
  readonly shares = new Set<MountShare>();
  readonly listeners = new Set<(event: TimedProgressEvent) => void>();
  isOpen = false;
  isEnded = false;
  readonly #opening = new AbortController();

  constructor(request: MountRequest, open: OpenMount, onFailure: () => void) {
    const onProgress = (event: TimedProgressEvent) => {
      for (const listener of this.listeners) {
        listener(event);
      }
    };
    this.client = open(request, { onProgress, signal: this.#opening.signal });
    this.client.then(
      () => {
        this.isOpen = true;
      },
      () => {
        this.isEnded = true;
        onFailure();
      },
    );
  }

  close(): void {
    this.isEnded = true;
    this.#opening.abort();
    this.client.then(
      (client) => client.close(),
      () => undefined,
    );
  }
}

/** Gives out shares in mounts; opens a mount for its first share. */
export class SharedMounts {
  readonly #open: OpenMount;
  readonly #mounts = new Map<string, SharedMount>();
  readonly #listeners = new Set<() => void>();
  #hasStarted = false;

  constructor(open: OpenMount = connectAndMount) {
    this.#open = open;
  }

  /** True if a client of the page has loaded the tools. */
  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** Calls a function once the first client has loaded the tools, unless it is forgotten before. */
  whenStarted(listener: () => void): void {
    this.#listeners.add(listener);
  }

  forget(listener: () => void): void {
    this.#listeners.delete(listener);
  }

  #noteStart(): void {
    this.#hasStarted = true;
    for (const listener of this.#listeners) {
      listener();
    }
    this.#listeners.clear();
  }

  /** Returns a share in the requested mount; `onProgress` gets the events of its opening. */
  join(request: MountRequest, onProgress: (event: TimedProgressEvent) => void): MountShare {
    const { key, mountPath } = request;
    const retire = (ended: SharedMount) => {
      ended.isEnded = true;
      if (this.#mounts.get(key) === ended) {
        this.#mounts.delete(key);
      }
    };
    const mount = this.#mounts.get(key) ?? this.#start(request, retire);
    const share: MountShare = {
      key,
      mountPath,
      client: mount.client,
      get isOpen() {
        return mount.isOpen;
      },
      get isEnded() {
        return mount.isEnded || !mount.shares.has(share);
      },
      markLost: () => retire(mount),
      release: () => {
        mount.listeners.delete(onProgress);
        if (mount.shares.delete(share) && mount.shares.size === 0) {
          retire(mount);
          mount.close();
        }
      },
    };
    mount.shares.add(share);
    mount.listeners.add(onProgress);
    return share;
  }

  #start(request: MountRequest, retire: (ended: SharedMount) => void): SharedMount {
    const mount: SharedMount = new SharedMount(request, this.#open, () => retire(mount));
    this.#mounts.set(request.key, mount);
    mount.client.then(
      () => this.#noteStart(),
      () => undefined,
    );
    return mount;
  }
}

export async function connectAndMount(
  { source, mountPath, config, assets }: MountRequest,
  options: OpeningOptions,
): Promise<TreeglassClient> {
  const { connect } = await loadClientModule();
  const location = assets === null ? {} : { assets };
  const client = await connect({ shared: true, config, ...location, ...options });
  try {
    await client.mount(mountPath, source, options);
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}
