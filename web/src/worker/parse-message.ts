/** Checks every message that enters the worker. */
import { isCount, isRecord } from "../lib/checks.ts";
import type { ClientMessage, PageMessage, Request } from "../protocol/messages.ts";
import { isMethod, PARAMS } from "../protocol/methods.ts";

/** Tells whether a value is a message of a client's port. */
export function isClientMessage(message: unknown): message is ClientMessage {
  if (!isRecord(message)) {
    return false;
  }
  switch (message.type) {
    case "close":
      return true;
    case "cancel":
    case "acknowledge":
      return isCount(message.id);
    default:
      return isRequest(message);
  }
}

/** Tells whether a value is a message to the worker's own scope. */
export function isPageMessage(message: unknown): message is PageMessage {
  if (!isRecord(message)) {
    return false;
  }
  switch (message.type) {
    case "open":
      return message.port instanceof MessagePort;
    case "handover":
      return isCount(message.handle) && message.blob instanceof Blob;
    case "withdraw":
      return isCount(message.handle);
    default:
      return isRequest(message);
  }
}

function isRequest(message: unknown): message is Request {
  return (
    isRecord(message) &&
    message.type === "request" &&
    isCount(message.id) &&
    isMethod(message.method) &&
    PARAMS[message.method](message.params)
  );
}
