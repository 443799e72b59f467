/** When a demo starts by itself. */
import type { DemoLoading } from "./attributes.ts";

/** Ahead of the reader, so that the answer may be there when the demo is. */
const MARGIN = "200px";

/** Starts a demo by what its `loading` says, if nobody else did; `start` says so by `finish`. */
export class AutoStart {
  readonly #element: Element;
  readonly #start: () => void;
  #cancel: () => void = () => undefined;
  #isDone = false;

  constructor(element: Element, start: () => void) {
    this.#element = element;
    this.#start = start;
  }

  /** Waits for the moment; a moment that was waited for before counts no more. */
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

  /** Waits no more, until it is told to again. */
  cancel(): void {
    this.#cancel();
  }

  /** Waits never more: the demo was started by somebody. */
  finish(): void {
    this.#isDone = true;
    this.#cancel();
  }
}

/** What stands inside an element may arrive after it. Returns null where nothing was waited for. */
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
