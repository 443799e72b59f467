/** When a demo starts by itself. */
import type { DemoLoading } from "./attributes.ts";

/** Starts ahead of the reader, so that the answer is there when the demo scrolls in. */
const MARGIN = "200px";

/** Starts a demo by its `loading` attribute, unless it started before; then call `finish`. */
export class AutoStart {
  readonly #element: Element;
  readonly #start: () => void;
  #cancel: () => void = () => undefined;
  #isDone = false;

  constructor(element: Element, start: () => void) {
    this.#element = element;
    this.#start = start;
  }

  /** Waits for the moment of the attribute; replaces an earlier wait. */
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

  /** Stops the wait until the next call. */
  cancel(): void {
    this.#cancel();
  }

  /** Ends the wait for good: the demo has started. */
  finish(): void {
    this.#isDone = true;
    this.#cancel();
  }
}

/** Waits for an element's content, which may arrive after it. Returns null without a wait. */
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
