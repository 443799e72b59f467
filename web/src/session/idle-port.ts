/**
 * Lets a program end while a port listens; call it after the port was started.
 *
 * Does nothing in a page: only programs outside of browsers end when no task is left.
 */
export function letProgramEnd(port: MessagePort): void {
  if ("unref" in port && typeof port.unref === "function") {
    port.unref();
  }
}
