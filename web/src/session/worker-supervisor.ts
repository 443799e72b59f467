/** What a session needs of the owner of its worker. */
import type { InterruptCells } from "../protocol/interrupts.ts";
import type { Loss } from "../protocol/messages.ts";
import type { Call } from "./call.ts";
import type { ClientSession, ToHostPath } from "./client-session.ts";

/** Starts, replaces and ends the worker that one or more sessions use. */
export interface WorkerSupervisor {
  /** Null if page and worker share no memory. */
  readonly interrupts: InterruptCells | null;
  readonly toHostPath: ToHostPath | undefined;
  /** Keeps the program running while a caller waits; inverse of `endWait`. */
  beginWait(): void;
  endWait(): void;
  /** Replaces a worker that failed, or its interpreter. */
  crashed(reason: string, loss?: Exclude<Loss, "nothing">): void;
  /** Notes that the worker did something since its last crash. */
  succeeded(): void;
  /** Ends the worker and starts another one. */
  replace(): void;
  /** Removes a session; the worker ends with the last one. */
  leave(session: ClientSession): void;
  /** Tells whether the worker also serves other sessions. */
  hasOthers(session: ClientSession): boolean;
  /** Tells whether any session waits for anything except this call. */
  isWaitingBut(call: Call): boolean;
  /** Stops abandoned calls, because another request waits. */
  stopAbandoned(): void;
}
