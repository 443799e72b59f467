import { AssetFault } from "../protocol/asset-files.ts";
import type { ImageOrigin, ImagePart, SentParts } from "../protocol/start.ts";

/** Returns what a worker has to know of an image before its parts. */
export function originOf({ pyodideVersion, fingerprint, archives }: ImageOrigin): ImageOrigin {
  return { pyodideVersion, fingerprint, archives };
}

/** Sends the parts of an image as they arrive; the page keeps them too. */
export function sendParts(
  { interpreter, sideModule, memory }: SentParts,
  send: (part: ImagePart) => void,
): void {
  const sendFault = (fault: unknown) => {
    const reason = fault instanceof Error ? fault.message : String(fault);
    send({ name: "fault", reason, isOfFile: fault instanceof AssetFault });
  };
  interpreter.then((part) => send({ name: "interpreter", part })).catch(sendFault);
  sideModule.then((part) => send({ name: "sideModule", part })).catch(sendFault);
  memory.then((part) => send({ name: "memory", part })).catch(sendFault);
}
