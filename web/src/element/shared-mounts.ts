/** One client for all demos of a page with the same tree. */
import type { TimedProgressEvent, TreeglassClient } from "../index.ts";
import { loadClientModule } from "./client-module.ts";
import type { MountRequest } from "./demo-call.ts";

/** The listener and the signal of an opening client. */
export interface OpeningOptions {
  readonly onProgress: (event: TimedProgressEvent) => void;
  readonly signal: AbortSignal;
}

/** Connects a client and mounts the tree; leaves nothing behind if it rejects. */
export type OpenMount = (
  request: MountRequest,
  options: OpeningOptions,
) => Promise<TreeglassClient>;

/** A lease of a shared mount, to be released. */
export interface Lease {
  readonly key: string;
  readonly mountPath: string;
  /** Rejects with the error of the mount, or with an abort after all leases were released. */
  readonly client: Promise<TreeglassClient>;
  /** Whether the client is connected. */
  readonly isOpen: boolean;
  /** Whether it is lost, so that a demo has to take another lease. */
  readonly isOver: boolean;
  /** Keeps other demos from joining, because the client or its mount is lost. */
  forget(): void;
  /** Ends the lease; the client closes with the last one. May be called twice. */
  release(): void;
}

/** A client that is opening or open, and its leases. */
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

/** Returns leases, and opens a client for the first one. */
export class SharedMounts {
  readonly #open: OpenMount;
  readonly #mounts = new Map<string, SharedMount>();

  constructor(open: OpenMount = connectAndMount) {
    this.#open = open;
  }

  /** Returns a lease of a mount; `onProgress` is called until it is open. */
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

/** Opens a client in the page's shared worker. */
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
