/** Receives the parts of an image from the page. */
import { isRecord } from "../../lib/checks.ts";
import { AssetFault } from "../../protocol/asset-files.ts";
import type { ArrivingParts, ImageParts, PartMessage, SentCode } from "../../protocol/start.ts";

/** Returns the parts that arrive at a port; each rejects with the reason if it cannot be used. */
export function receiveParts(port: MessagePort): ArrivingParts {
  const interpreter = arriving<ImageParts["interpreter"]>();
  const sideModule = arriving<ImageParts["sideModule"]>();
  const memory = arriving<ImageParts["memory"]>();
  const failAll = (reason: Error) => {
    for (const { fail } of [interpreter, sideModule, memory]) {
      fail(reason);
    }
  };
  port.addEventListener("message", ({ data }) => {
    if (!isPartMessage(data)) {
      return;
    }
    switch (data.name) {
      case "interpreter":
        interpreter.arrive(compiled(data.part));
        break;
      case "sideModule":
        sideModule.arrive(compiled(data.part));
        break;
      case "memory":
        memory.arrive(data.part);
        break;
      case "fault":
        failAll(data.isOfFile ? new AssetFault(data.reason) : new Error(data.reason));
    }
  });
  port.addEventListener("messageerror", () =>
    failAll(new Error("a part of the image could not be read")),
  );
  port.start();
  const parts = {
    interpreter: interpreter.promise,
    sideModule: sideModule.promise,
    memory: memory.promise,
  };
  // The page must not close it: Firefox then cannot decode a module that has not arrived yet.
  Promise.allSettled(Object.values(parts)).then(() => port.close());
  return parts;
}

interface Arriving<Part> {
  readonly promise: Promise<Part>;
  readonly arrive: (part: Part | Promise<Part>) => void;
  readonly fail: (reason: Error) => void;
}

function arriving<Part>(): Arriving<Part> {
  let arrive: Arriving<Part>["arrive"] = () => undefined;
  let fail: Arriving<Part>["fail"] = () => undefined;
  const promise = new Promise<Part>((resolve, reject) => {
    arrive = resolve;
    fail = reject;
  });
  // After a failure of another part, no code handles the rejection of this one.
  promise.catch(() => undefined);
  return { promise, arrive, fail };
}

async function compiled(code: SentCode): Promise<WebAssembly.Module> {
  return code instanceof Uint8Array ? WebAssembly.compile(code) : code;
}

function isPartMessage(data: unknown): data is PartMessage {
  if (!isRecord(data)) {
    return false;
  }
  switch (data.name) {
    case "interpreter":
    case "sideModule":
      return data.part instanceof WebAssembly.Module || data.part instanceof Uint8Array;
    case "memory":
      return data.part instanceof Uint8Array;
    case "fault":
      return typeof data.reason === "string" && typeof data.isOfFile === "boolean";
    default:
      return false;
  }
}
