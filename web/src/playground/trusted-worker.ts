/** What a policy of `require-trusted-types-for 'script'` lets this page run: its own worker, and nothing else. */

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (address: string) => string | null },
  ): unknown;
}

declare global {
  interface Window {
    /** Older browsers have none, and refuse nothing either. */
    readonly trustedTypes?: TrustedTypes;
  }
}

/** Vouches for the worker's address; whatever else becomes markup or script is refused. */
export function trustOwnWorker(): void {
  const own = new URL("./worker.js", import.meta.url).href;
  // By the name that a browser asks where code hands over a plain text, as the client does:
  // bundlers find a worker only where it is made of an address as it stands.
  window.trustedTypes?.createPolicy("default", {
    createScriptURL: (address) => (address === own ? address : null),
  });
}
