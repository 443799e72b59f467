/** Starts the providers and prints their origin as one line; the first argument is the port. */
import { startProviders } from "./server.ts";

const { origin } = await startProviders(Number(process.argv[2] ?? 0));
process.stdout.write(`${origin}\n`);
