import { resolve } from "node:path";

/** The client, its class and its errors; each is a part of `index.js`. */
const OF_CLIENT = /\/src\/(index|protocol\/errors|client\/client)\.ts$/;
const ERRORS = /\/src\/protocol\/errors\.ts$/;

/**
 * Returns a plugin of esbuild that imports the client and its errors instead of bundling them.
 *
 * A second copy would start a second runtime, and `instanceof` would be false for errors of a second
 * class.
 *
 * @param client The address of the client's module, relative to the bundled ones.
 */
export function leaveTheClient(client) {
  return leave(OF_CLIENT, client);
}

/** Does the same with the errors alone, for a place that has a client of its own. */
export function leaveTheErrors(client) {
  return leave(ERRORS, client);
}

function leave(modules, client) {
  return {
    name: "leave-the-client",
    setup({ onResolve }) {
      // By the whole path: a module beside the errors imports them as `./errors.ts`.
      onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, resolveDir, kind }) =>
        kind !== "entry-point" && modules.test(resolve(resolveDir, path).replaceAll("\\", "/"))
          ? { path: client, external: true, sideEffects: false }
          : undefined,
      );
    },
  };
}
