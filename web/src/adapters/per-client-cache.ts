/** Gives each request the tools of whoever sent it. */
import type { ToolClient } from "./tool-client.ts";

/** The tools of all callers, or what returns those of whoever sent a request. */
export type SharedClient = ToolClient | ((request: Request) => ToolClient | Promise<ToolClient>);

/** Makes something of a client's tools at its first request, and has it at hand for the others. */
export class PerClientCache<Made> {
  readonly #client: SharedClient;
  readonly #make: (client: ToolClient) => Promise<Made>;
  // What was made, and no promise of it: in some runtimes, none may wait for another request's.
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
