/** Lets one tab at a time keep its tree, since the browser keeps one tree for all of them. */

import { signal } from "@preact/signals";

const LOCK = "treeglass-keep";

/** After a reload, the page before it may hold the lock a moment longer. */
const PATIENCE_MS = 1000;

/** True while this tab is the one that keeps its tree. */
export const isKeeper = signal(false);

let release = () => {};

/** Resolves with whether this tab may keep its tree; false if another tab keeps one. */
export async function becomeKeeper(): Promise<boolean> {
  if (!isKeeper.value) {
    // A page without a secure connection has no locks; the last of its tabs to save then wins.
    isKeeper.value = !("locks" in navigator) || (await takeLock());
  }
  return isKeeper.value;
}

/** Lets another tab keep its tree. */
export function stopKeeping(): void {
  release();
  isKeeper.value = false;
}

function takeLock(): Promise<boolean> {
  return new Promise((resolve) => {
    const hold = () =>
      new Promise<void>((end) => {
        release = end;
        resolve(true);
      });
    navigator.locks
      .request(LOCK, { signal: AbortSignal.timeout(PATIENCE_MS) }, hold)
      // Any other error is that of a page that may use no locks.
      .catch((error: unknown) =>
        resolve(!(error instanceof Error && error.name === "TimeoutError")),
      );
  });
}

// A page that waits for Back holds nothing; what it shows then may be out of date.
window.addEventListener("pagehide", () => release());
window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted && isKeeper.value) {
    location.reload();
  }
});
