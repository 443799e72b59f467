import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type FileGiver, serveFiles } from "../../src/client/files-on-page.ts";
import type { Wire } from "../../src/session/sendable.ts";
import { requestFilesOver } from "../../src/sources/local/file-requests.ts";
import type { BlobReader } from "../../src/sources/random-access.ts";
import { DeferredError } from "../../src/sources/tree.ts";
import { openWire } from "../support/files/wire.ts";

const nothingRead: BlobReader = () => {
  throw new Error("nothing was expected to be read");
};

const LET_GO = new DeferredError("unreadable", "the page has let go of it, and of all of its tree");
const NOT_THERE = new DeferredError(
  "unreadable",
  "it was changed, moved or removed; choose or mount it again",
);

async function withServer(
  givers: readonly FileGiver[],
  use: (
    ask: ReturnType<typeof requestFilesOver>,
    server: ReturnType<typeof serveFiles>,
  ) => Promise<void>,
): Promise<void> {
  const { wire, openFiles } = openWire();
  const server = serveFiles(givers, wire);
  try {
    await use(requestFilesOver(openFiles, server.server, { readBlob: nothingRead }), server);
  } finally {
    server.close();
  }
}

/** Returns a wire that notes the Blobs that are sent over it. */
function noting(wire: Wire, sent: Blob[]): Wire {
  return {
    openFiles(answer) {
      const line = wire.openFiles(answer);
      return {
        ...line,
        send(reply) {
          if (reply.joined !== null) {
            sent.push(reply.joined);
          }
          line.send(reply);
        },
      };
    },
  };
}

describe("files that stay on the page", () => {
  test("are handed over in one Blob if they are requested together, with their times", async () => {
    const texts = ["one", "", "three"];
    const givers = texts.map((text, index) => () => new File([text], "a", { lastModified: index }));
    const { wire, openFiles } = openWire();
    const sent: Blob[] = [];
    const server = serveFiles(givers, noting(wire, sent));
    const read: (readonly [number, number])[] = [];
    const readBlob: BlobReader = (_, start, end) => {
      read.push([start, end]);
      return new Uint8Array(end - start);
    };
    const ask = requestFilesOver(openFiles, server.server, { readBlob });
    const found = await Promise.all([ask(2), ask(0), ask(1)]);
    assert.deepEqual(
      found.map(({ place, modifiedMs }) => [place.span, modifiedMs]),
      [
        [{ start: 0, end: 5 }, 2],
        [{ start: 5, end: 8 }, 0],
        [{ start: 8, end: 8 }, 1],
      ],
    );
    assert.equal(new Set(found.map(({ place }) => place.access)).size, 1);
    assert.deepEqual(await Promise.all(sent.map((blob) => blob.text())), ["threeone"]);
    found[0]?.place.access.read(5, 8);
    assert.deepEqual(read, [[5, 8]]);
    server.close();
  });

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
    const { wire, openFiles } = openWire();
    const server = serveFiles([give], noting(wire, handed));
    const pending = requestFilesOver(openFiles, server.server, { readBlob: nothingRead })(0);
    await wanted;
    server.close();
    arrive(new File(["late"], "a"));
    await assert.rejects(pending, LET_GO);
    assert.deepEqual(handed, []);
  });

  test("are refused when the worker asks after the page let go", async () => {
    const { wire, openFiles } = openWire();
    const server = serveFiles([() => new File([], "a")], wire);
    server.close();
    await assert.rejects(
      requestFilesOver(openFiles, server.server, { readBlob: nothingRead })(0),
      LET_GO,
    );
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
      const outcomes = await Promise.allSettled([0, 1, 2, 3, 4].map(ask));
      const [there] = outcomes.splice(3, 1);
      assert(there?.status === "fulfilled");
      assert.deepEqual(there.value.place.span, { start: 0, end: 5 });
      const lost = { status: "rejected", reason: NOT_THERE };
      assert.deepEqual(outcomes, [lost, lost, lost, lost]);
    });
  });
});
