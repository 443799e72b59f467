/** One client for all demos of a page that are about the same tree. */
import type { TimedProgressEvent, TreeglassClient } from "../index.ts";
import { loadClientModule } from "./client-module.ts";
import type { MountRequest } from "./demo-call.ts";

/** What opening a client may tell, and what ends it. */
export interface OpeningOptions {
  readonly onProgress: (event: TimedProgressEvent) => void;
  readonly signal: AbortSignal;
}

/** Connects a client and mounts the tree; leaves nothing behind where it rejects. */
export type OpenMount = (
  request: MountRequest,
  options: OpeningOptions,
) => Promise<TreeglassClient>;

/** A place in a shared mount, to be given back. */
export interface Lease {
  readonly key: string;
  readonly mountPath: string;
  /** Rejects with why the tree cannot be had; with an abort where everybody gave up. */
  readonly client: Promise<TreeglassClient>;
  /** Whether the client is there already. */
  readonly isOpen: boolean;
  /** Whether it can be used no more, so that another one has to be asked for. */
  readonly isOver: boolean;
  /** Lets nobody else join, since the client or its mount was lost. */
  forget(): void;
  /** Gives the place back; the client is closed with the last one. May be called twice. */
  release(): void;
}

/** A client that is being opened or is open, for those who hold it. */
class SharedMount {
  readonly client: Promise<TreeglassClient>;
  readonly holders = new Set<Lease>();
  readonly listeners = new Set<(event: TimedProgressEvent) => void>();
  isOpen = false;
  isOver = false;
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
        this.isOver = true;
        onFailure();
      },
    );
  }

  close(): void {
    this.isOver = true;
    this.#opening.abort();
    this.client.then(
      (client) => client.close(),
      () => undefined,
    );
  }
}

/** Hands out places, and opens what nobody has opened. */
export class SharedMounts {
  readonly #open: OpenMount;
  readonly #mounts = new Map<string, SharedMount>();

  constructor(open: OpenMount = connectAndMount) {
    this.#open = open;
  }

  /** Returns a place in the mount that is asked for; `onProgress` hears of it until it is open. */
  enter(request: MountRequest, onProgress: (event: TimedProgressEvent) => void): Lease {
    const { key, mountPath } = request;
    const forget = (lost: SharedMount) => {
      lost.isOver = true;
      if (this.#mounts.get(key) === lost) {
        this.#mounts.delete(key);
      }
    };
    const mount = this.#mounts.get(key) ?? this.#start(request, forget);
    const lease: Lease = {
      key,
      mountPath,
      client: mount.client,
      get isOpen() {
        return mount.isOpen;
      },
      get isOver() {
        return mount.isOver || !mount.holders.has(lease);
      },
      forget: () => forget(mount),
      release: () => {
        mount.listeners.delete(onProgress);
        if (mount.holders.delete(lease) && mount.holders.size === 0) {
          forget(mount);
          mount.close();
        }
      },
    };
    mount.holders.add(lease);
    mount.listeners.add(onProgress);
    return lease;
  }

  #start(request: MountRequest, forget: (lost: SharedMount) => void): SharedMount {
    const mount: SharedMount = new SharedMount(request, this.#open, () => forget(mount));
    this.#mounts.set(request.key, mount);
    return mount;
  }
}

/** Opens a client in the page's one worker. */
export async function connectAndMount(
  { source, mountPath, config, assets }: MountRequest,
  options: OpeningOptions,
): Promise<TreeglassClient> {
  const { connect } = await loadClientModule();
  const place = assets === null ? {} : { assets };
  const client = await connect({ shared: true, config, ...place, ...options });
  try {
    await client.mount(mountPath, source, options);
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}
