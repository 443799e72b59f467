/** When a demo starts by itself. */
import type { DemoLoading } from "./attributes.ts";

/** Ahead of the reader, so that the answer may be there when the demo is. */
const MARGIN = "200px";

/** Starts a demo once, by what its `loading` says. */
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
        this.#run();
      } else {
        this.#cancel = whenVisible(this.#element, () => this.#run());
      }
    });
    if (cancelParsing !== null) {
      this.#cancel = cancelParsing;
    }
  }

  /** Waits no more. */
  cancel(): void {
    this.#cancel();
  }

  #run(): void {
    this.#isDone = true;
    this.#start();
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
