/**
 * Returns a plugin of esbuild that imports the client and its errors instead of bundling them.
 *
 * A second copy would start a second runtime, and `instanceof` would be false for errors of a second
 * class.
 *
 * @param client The address of the client's module, relative to the bundled ones.
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
