/** Ports that a program need not wait for. */

/**
 * Lets a program end by itself while a port listens; to be called after the port was started.
 *
 * Pages have nothing to be told: only programs outside of browsers end when nothing is left to do.
 */
export function letProgramEnd(port: MessagePort): void {
  if ("unref" in port && typeof port.unref === "function") {
    port.unref();
  }
}
