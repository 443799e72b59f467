/** Caches the tools of each client. */
import type { ToolClient } from "./tool-client.ts";

/** The tools of all callers, or a function from a request to its caller's tools. */
export type SharedClient = ToolClient | ((request: Request) => ToolClient | Promise<ToolClient>);

/** Makes a value from a client's tools at its first request, and returns it for later ones. */
export class PerClientCache<Made> {
  readonly #client: SharedClient;
  readonly #make: (client: ToolClient) => Promise<Made>;
  // Holds values, not promises: in some runtimes a request must not await another request's promise.
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
