import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type FileGiver, type FileServer, serveFiles } from "../src/client/file-server.ts";
import { requestFilesOver } from "../src/sources/local/file-requests.ts";
import { DeferredError } from "../src/sources/tree.ts";
import { handOverNothing, openHandover, takeNoBlob } from "./support/handover.ts";

const LET_GO = new DeferredError("unreadable", "the page has let go of it, and of all of its tree");
const NOT_THERE = new DeferredError(
  "unreadable",
  "it was changed, moved or removed; choose or mount it again",
);

async function withServer(
  givers: readonly FileGiver[],
  use: (ask: ReturnType<typeof requestFilesOver>, server: FileServer) => Promise<void>,
): Promise<void> {
  const { sendBlob, takeBlob } = openHandover();
  const server = serveFiles(givers, sendBlob);
  try {
    await use(requestFilesOver(server.port, takeBlob), server);
  } finally {
    server.close();
  }
}

describe("files that stay on the page", () => {
  test("are handed over one by one, with their times", () =>
    withServer(
      [1, 2].map((time) => () => new File([`${time}`], "a", { lastModified: time })),
      async (ask) => {
        const [second, first] = await Promise.all([ask(1), ask(0)]);
        assert.deepEqual(
          [await first.file.text(), first.modifiedMs, await second.file.text(), second.modifiedMs],
          ["1", 1, "2", 2],
        );
      },
    ));

  test("are refused at once after the page has released them", () =>
    withServer([() => new Promise(() => undefined)], async (ask, server) => {
      const pending = ask(0);
      server.close();
      await assert.rejects(pending, LET_GO);
      await assert.rejects(ask(0), LET_GO);
    }));

  test("are not handed over when the page lets go while the browser looks", async () => {
    let arrive: (file: File) => void = () => undefined;
    let asked: () => void = () => undefined;
    const wanted = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const give = () => {
      asked();
      return new Promise<File>((resolve) => {
        arrive = resolve;
      });
    };
    const handed: Blob[] = [];
    const sendBlob = (blob: Blob) => ({ handle: handed.push(blob), withdraw: () => undefined });
    const server = serveFiles([give], sendBlob);
    const pending = requestFilesOver(server.port, takeNoBlob)(0);
    await wanted;
    server.close();
    arrive(new File(["late"], "a"));
    await assert.rejects(pending, LET_GO);
    assert.deepEqual(handed, []);
  });

  test("are refused when the worker asks after the page let go", async () => {
    const server = serveFiles([() => new File([], "a")], handOverNothing);
    server.close();
    await assert.rejects(requestFilesOver(server.port, takeNoBlob)(0), LET_GO);
  });

  test("are refused one by one if they are no files, are gone or cannot be sent", () => {
    const method = () => undefined;
    const imitation: object = { [Symbol.toStringTag]: "File", lastModified: 0, method };
    const plain: object = { lastModified: 0 };
    const givers: FileGiver[] = [
      () => Promise.reject(new DOMException("gone", "NotFoundError")),
      // As a library makes them for runtimes that have no files.
      () => imitation as File,
      () => plain as File,
      () => new File(["there"], "b"),
    ];
    return withServer(givers, async (ask) => {
      for (const index of [0, 1, 2, 4]) {
        await assert.rejects(ask(index), NOT_THERE);
      }
      assert.equal(await (await ask(3)).file.text(), "there");
    });
  });
});
