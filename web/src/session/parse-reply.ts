/** Checks every message that enters the page from its worker. */
import { isCount, isRecord } from "../lib/checks.ts";
import { isTreeglassErrorKind } from "../protocol/error-kinds.ts";
import { isLoss, type WorkerMessage } from "../protocol/messages.ts";
import { isProgressEvent } from "../protocol/mount-report.ts";

/** Tells whether a value is a message of the worker's. */
export function isWorkerMessage(message: unknown): message is WorkerMessage {
  if (!isRecord(message)) {
    return false;
  }
  switch (message.type) {
    case "hello":
      return true;
    case "began":
      return isCount(message.id) && isCount(message.run);
    case "progress":
      return isCount(message.id) && isProgressEvent(message.event);
    case "result":
      return (
        isCount(message.id) && (message.isLast === undefined || typeof message.isLast === "boolean")
      );
    case "cancelled":
      return isCount(message.id);
    case "error":
      return (
        isCount(message.id) &&
        isTreeglassErrorKind(message.kind) &&
        typeof message.message === "string" &&
        isLoss(message.loss)
      );
    default:
      return false;
  }
}
