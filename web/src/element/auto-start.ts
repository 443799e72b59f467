/** Starts a demo without a click. */
import type { DemoLoading } from "./attributes.ts";

/** The distance from the viewport at which a demo starts, so that its answer may be there in time. */
const MARGIN = "200px";

/** Calls `start` when `loading` says, unless the demo has started; `start` must call `finish`. */
export class AutoStart {
  readonly #element: Element;
  readonly #start: () => void;
  #cancel: () => void = () => undefined;
  #isDone = false;

  constructor(element: Element, start: () => void) {
    this.#element = element;
    this.#start = start;
  }

  /** Waits for the moment that `loading` names, instead of any moment named before. */
  set(loading: DemoLoading): void {
    this.#cancel();
    if (this.#isDone || loading === "click") {
      return;
    }
    const cancelParsing = whenParsed(() => {
      if (loading === "eager") {
        this.#start();
      } else {
        this.#cancel = whenVisible(this.#element, this.#start);
      }
    });
    if (cancelParsing !== null) {
      this.#cancel = cancelParsing;
    }
  }

  /** Stops waiting, until the next `set`. */
  cancel(): void {
    this.#cancel();
  }

  /** Stops waiting for good: the demo has started. */
  finish(): void {
    this.#isDone = true;
    this.#cancel();
  }
}

/**
 * Calls `then` once the page is parsed, since an element's content may arrive after the element.
 *
 * Returns a function that cancels the wait; null if the page was parsed already.
 */
function whenParsed(then: () => void): (() => void) | null {
  if (document.readyState !== "loading") {
    then();
    return null;
  }
  document.addEventListener("DOMContentLoaded", then, { once: true });
  return () => document.removeEventListener("DOMContentLoaded", then);
}

function whenVisible(element: Element, then: () => void): () => void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) {
        observer.disconnect();
        then();
      }
    },
    { rootMargin: MARGIN },
  );
  observer.observe(element);
  return () => observer.disconnect();
}
