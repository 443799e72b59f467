/** Allows this page's own worker, and nothing else, under `require-trusted-types-for 'script'`. */

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (address: string) => string | null },
  ): unknown;
}

declare global {
  interface Window {
    /** Absent in older browsers, which do not enforce the policy either. */
    readonly trustedTypes?: TrustedTypes;
  }
}

/** Allows the worker's address; the browser refuses any other script address, and all markup. */
export function trustOwnWorker(): void {
  const own = new URL("./assets/worker.js", import.meta.url).href;
  // A browser applies the policy named "default" to plain strings, and the client passes one to
  // `Worker`.
  window.trustedTypes?.createPolicy("default", {
    createScriptURL: (address) => (address === own ? address : null),
  });
}
