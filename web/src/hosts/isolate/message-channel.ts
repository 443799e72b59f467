/**
 * A message channel that outlives a visit; the build puts it in the place of the runtime's own.
 *
 * workerd's ports deliver only during the visit that opened them, but Pyodide opens one for the tasks
 * of all later visits.
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

  /** Does nothing: unlike a runtime's port, this one delivers from the beginning. */
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
