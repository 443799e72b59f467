/** The entry of the playground: sets the script policy and the theme, then opens the page. */

import { render } from "preact";
import { findElement } from "../ui/make-element.ts";
import { App } from "./app.tsx";
import { restoreTheme } from "./shell/theme-choice.tsx";
import { openPage } from "./sources/open-page.ts";
import { PageState } from "./state/page-state.ts";

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

trustOwnWorker();
restoreTheme();
const page = new PageState();
// Each in a task of its own, so that none keeps a visitor waiting.
setTimeout(() => {
  render(<App page={page} />, findElement("page", HTMLElement));
  setTimeout(() => void openPage(page));
});

/** Allows the worker's address; the browser refuses any other script address, and all markup. */
function trustOwnWorker(): void {
  const own = new URL("./assets/worker.js", import.meta.url).href;
  // A browser applies the policy named "default" to plain strings, and the client passes one to
  // `Worker`.
  window.trustedTypes?.createPolicy("default", {
    createScriptURL: (address) => (address === own ? address : null),
  });
}
