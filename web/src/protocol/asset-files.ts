/** The runtime's files: from whoever has them at hand, or else over the network. */
import { isRecord } from "../lib/checks.ts";

/**
 * Returns the content of the file at a whole address; null where it is not held.
 *
 * Vouches for what it returns: no hash of a request is compared with it. Rejects where the file is
 * held, but damaged.
 */
export type AssetHolder = (address: string) => Promise<Uint8Array<ArrayBuffer> | null>;

/** Some kinds of file are refused under another type, and some are read slower. */
const TYPES = new Map([
  ["json", "application/json"],
  ["mjs", "text/javascript"],
  ["wasm", "application/wasm"],
]);

/** Words that the runtime could not be had from its folder, and what to do. */
export type MissingWords = (assets: string, what: string) => string;

const UNSERVED: MissingWords = (assets, what) =>
  `The runtime could not be loaded from ${assets}: ${what}. Serve the package's assets folder there, or pass its address as connect({ assets }).`;
const NOT_IN_PAGE: MissingWords = (_assets, what) =>
  `The runtime inside this page could not be used: ${what}. Get the page again.`;

let holder: AssetHolder | null = null;
let wordMissing = UNSERVED;

/**
 * Has this page, or this worker, ask the holder before it asks anybody over the network.
 *
 * `words` are for a start that fails all the same.
 */
export function holdAssets(nextHolder: AssetHolder | null, words = NOT_IN_PAGE): void {
  holder = nextHolder;
  wordMissing = nextHolder === null ? UNSERVED : words;
}

/** Returns what to say where the assets are not as they were published. */
export function wordMissingAssets(assets: string, what: string): string {
  return wordMissing(assets, what);
}

/** Tells whether anybody is asked before the network. */
export function holdsAssets(): boolean {
  return holder !== null;
}

/** Returns the file at an address where it is held; null where it has to be fetched. */
export async function findAsset(address: string): Promise<Response | null> {
  const bytes = holder === null ? null : await holder(address);
  const type = TYPES.get(address.slice(address.lastIndexOf(".") + 1)) ?? "application/octet-stream";
  return bytes === null ? null : new Response(bytes, { headers: { "Content-Type": type } });
}

/** Returns the file at an address, as `fetch` does; of what is held, `init` decides nothing. */
export async function fetchAsset(address: string, init?: RequestInit): Promise<Response> {
  return (await findAsset(address)) ?? fetch(address, init);
}

/** Asks whoever answers at the other end of a port. */
export function askOverPort(port: MessagePort): AssetHolder {
  const waiting = new Map<number, (answer: AssetAnswer) => void>();
  let lastId = 0;
  port.addEventListener("message", ({ data }) => {
    if (isAnswer(data)) {
      waiting.get(data.id)?.(data);
      waiting.delete(data.id);
    }
  });
  port.start();
  return async (address) => {
    lastId += 1;
    const question: AssetQuestion = { id: lastId, address };
    const answer = await new Promise<AssetAnswer>((resolve) => {
      waiting.set(question.id, resolve);
      port.postMessage(question);
    });
    if (typeof answer.content === "string") {
      throw new Error(answer.content);
    }
    return answer.content;
  };
}

/** Answers what `askOverPort` asks at the other end, for as long as that is there. */
export function answerOverPort(port: MessagePort, find: AssetHolder): void {
  port.addEventListener("message", async ({ data }) => {
    if (isQuestion(data)) {
      const content = await find(data.address).catch((error: unknown) =>
        error instanceof Error ? error.message : String(error),
      );
      port.postMessage({ id: data.id, content } satisfies AssetAnswer);
    }
  });
  port.start();
}

interface AssetQuestion {
  readonly id: number;
  readonly address: string;
}

interface AssetAnswer {
  readonly id: number;
  /** The file; null where it is not held; a text that says why it cannot be had. */
  readonly content: Uint8Array<ArrayBuffer> | string | null;
}

function isQuestion(message: unknown): message is AssetQuestion {
  return isRecord(message) && typeof message.id === "number" && typeof message.address === "string";
}

function isAnswer(message: unknown): message is AssetAnswer {
  return (
    isRecord(message) &&
    typeof message.id === "number" &&
    (message.content === null ||
      typeof message.content === "string" ||
      message.content instanceof Uint8Array)
  );
}
