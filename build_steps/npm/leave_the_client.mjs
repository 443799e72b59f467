/**
 * Returns a plugin of esbuild that leaves the client and its errors to the module that has them.
 *
 * A second copy would start a second runtime, and a second class of errors would make `instanceof`
 * say no to what the bundled modules throw.
 *
 * @param client The address of that module, as the bundled ones have to write it.
 */
export function leaveTheClient(client) {
  return {
    name: "leave-the-client",
    setup({ onResolve }) {
      onResolve({ filter: /^\.\.\/index\.ts$|\/protocol\/errors\.ts$|\/client\.ts$/ }, () => ({
        path: client,
        external: true,
        sideEffects: false,
      }));
    },
  };
}
