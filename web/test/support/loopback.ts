/** A server of the test's own, with the test's answers and a list of the requests. */
import assert from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";

/** The answer at a path: a body, or a handler of the response. */
export type Answer =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | Uint8Array;
    }
  | ((response: ServerResponse) => void);

export interface Loopback {
  /** Ends in a slash. */
  readonly address: string;
  /** Every path that was asked for, with its query, in the order of the questions. */
  readonly asked: string[];
  /** The most responses that were under way at once. */
  readonly mostAtOnce: () => number;
  /** Puts an answer at a path, which starts with a slash and may have a query. */
  put(path: string, answer: Answer): void;
  close(): Promise<void>;
}

export async function startLoopback(): Promise<Loopback> {
  const answers = new Map<string, Answer>();
  const asked: string[] = [];
  let underWay = 0;
  let most = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    underWay += 1;
    most = Math.max(most, underWay);
    response.on("close", () => {
      underWay -= 1;
    });
    const answer = answers.get(path) ?? { status: 404, body: "not found" };
    if (typeof answer === "function") {
      answer(response);
    } else {
      response.writeHead(answer.status ?? 200, answer.headers);
      response.end(answer.body ?? "");
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const listening = server.address();
  assert(typeof listening === "object" && listening !== null);
  return {
    address: `http://127.0.0.1:${listening.port}/`,
    asked,
    mostAtOnce: () => most,
    put: (path, answer) => answers.set(path, answer),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Writes pieces as long as they are read; resolves with their bytes when the reader is gone. */
export function endless(piece: string): {
  readonly answer: (response: ServerResponse) => void;
  readonly ended: Promise<number>;
} {
  let end: (bytes: number) => void = () => undefined;
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  return {
    ended,
    answer(response) {
      let bytes = 0;
      let isOpen = true;
      response.on("close", () => {
        isOpen = false;
        end(bytes);
      });
      const write = () => {
        while (isOpen && response.write(piece)) {
          bytes += piece.length;
        }
      };
      response.on("drain", write);
      write();
    },
  };
}
