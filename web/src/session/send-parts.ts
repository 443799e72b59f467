import { AssetFault } from "../protocol/asset-files.ts";
import type { ImageOrigin, PartMessage, StartImage } from "../protocol/start.ts";
import type { StartPlan } from "./start-files.ts";

/** Returns an image for the worker, and sends its parts as they arrive; the page keeps them too. */
export function sendParts({
  pyodideVersion,
  fingerprint,
  archives,
  parts: { interpreter, sideModule, memory },
}: NonNullable<StartPlan["image"]>): StartImage & ImageOrigin {
  const { port1, port2 } = new MessageChannel();
  const send = (message: PartMessage) => port1.postMessage(message);
  const sendFault = (fault: unknown) => {
    const reason = fault instanceof Error ? fault.message : String(fault);
    send({ name: "fault", reason, isOfFile: fault instanceof AssetFault });
  };
  interpreter.then((part) => send({ name: "interpreter", part })).catch(sendFault);
  sideModule.then((part) => send({ name: "sideModule", part })).catch(sendFault);
  memory.then((part) => send({ name: "memory", part })).catch(sendFault);

  return { pyodideVersion, fingerprint, archives, parts: port2 };
}
