/** Receives the parts of an image from the page. */
import { withResolvers } from "../../lib/with-resolvers.ts";
import { AssetFault } from "../../protocol/asset-files.ts";
import type { ArrivingParts, ImagePart, ImageParts, SentCode } from "../../protocol/start.ts";

/** The parts of one start; each rejects with the reason if it cannot be used. */
export class ImageArrival {
  readonly #interpreter = arriving<ImageParts["interpreter"]>();
  readonly #sideModule = arriving<ImageParts["sideModule"]>();
  readonly #memory = arriving<ImageParts["memory"]>();
  readonly parts: ArrivingParts = {
    interpreter: this.#interpreter.promise,
    sideModule: this.#sideModule.promise,
    memory: this.#memory.promise,
  };

  receive(part: ImagePart): void {
    switch (part.name) {
      case "interpreter":
        this.#interpreter.resolve(compiled(part.part));
        break;
      case "sideModule":
        this.#sideModule.resolve(compiled(part.part));
        break;
      case "memory":
        this.#memory.resolve(part.part);
        break;
      case "fault":
        this.#failAll(part.isOfFile ? new AssetFault(part.reason) : new Error(part.reason));
    }
  }

  /** Notes that a part could not be decoded. */
  refuse(): void {
    this.#failAll(new Error("a part of the image could not be read"));
  }

  #failAll(reason: Error): void {
    for (const { reject } of [this.#interpreter, this.#sideModule, this.#memory]) {
      reject(reason);
    }
  }
}

function arriving<Part>() {
  const part = withResolvers<Part>();
  // After a failure of another part, no code handles the rejection of this one.
  part.promise.catch(() => undefined);
  return part;
}

async function compiled(code: SentCode): Promise<WebAssembly.Module> {
  return code instanceof Uint8Array ? WebAssembly.compile(code) : code;
}
