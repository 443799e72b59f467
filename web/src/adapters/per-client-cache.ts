/** Keeps one value for each client, such as its toolset. */
import type { ToolClient } from "./toolset-types.ts";

/** One client for all callers, or a function that returns the client of a request's caller. */
export type SharedClient = ToolClient | ((request: Request) => ToolClient | Promise<ToolClient>);

/** Makes a value at a client's first request, and returns the same one for its later requests. */
export class PerClientCache<Made> {
  readonly #client: SharedClient;
  readonly #make: (client: ToolClient) => Promise<Made>;
  // Values, not promises: some runtimes forbid a request to wait for the promise of another one.
  readonly #made = new WeakMap<ToolClient, Made>();

  constructor(client: SharedClient, make: (client: ToolClient) => Promise<Made>) {
    this.#client = client;
    this.#make = make;
  }

  async of(request: Request): Promise<Made> {
    const client = typeof this.#client === "function" ? await this.#client(request) : this.#client;
    const made = this.#made.get(client) ?? (await this.#make(client));
    this.#made.set(client, made);
    return made;
  }
}
