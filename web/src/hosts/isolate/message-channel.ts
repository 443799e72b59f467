/**
 * A message channel that belongs to no visit: takes the place of the runtime's own in this bundle.
 *
 * The runtime's ports deliver only while the visit lasts that opened them, and a tree of files is
 * read by later ones.
 */

interface MessageEventLike {
  readonly data: unknown;
}

type Listener = (event: MessageEventLike) => void;

class DirectPort {
  other: DirectPort | null = null;
  readonly #listeners: Listener[] = [];

  addEventListener(type: string, listener: Listener): void {
    if (type === "message") {
      this.#listeners.push(listener);
    }
  }

  postMessage(data: unknown): void {
    const listeners = this.other === null ? [] : this.other.#listeners;
    queueMicrotask(() => {
      for (const listener of listeners) {
        listener({ data });
      }
    });
  }

  /** A port of a runtime delivers nothing before; this one is heard from the first message on. */
  start(): void {}

  close(): void {
    this.other = null;
  }
}

class IsolateChannel {
  readonly port1 = new DirectPort();
  readonly port2 = new DirectPort();

  constructor() {
    this.port1.other = this.port2;
    this.port2.other = this.port1;
  }
}

export { IsolateChannel as MessageChannel };
