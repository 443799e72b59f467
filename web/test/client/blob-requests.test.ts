import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { writeTar } from "../support/archives/tar-writer.ts";
import { type Answers, type ConnectedOptions, connected } from "../support/connected.ts";
import { readableBlobs } from "../support/files/blobs.ts";

const UNREADABLE = {
  name: "BadRequest",
  message:
    "The worker could not read the request; send less at once, and nothing that is bound to the page.",
};
const MALFORMED = {
  name: "BadRequest",
  message: "The request has values of the wrong type; see the types of the package.",
};

const TAR = writeTar([{ name: "a.txt", content: "text" }]);

describe("an archive that a page has as a Blob", () => {
  let close: () => Promise<void> = async () => undefined;
  afterEach(() => close());

  async function open(answers: Answers = {}, options: ConnectedOptions = {}) {
    const { readBlob, makeFile } = readableBlobs();
    const one = await connected(answers, { ...options, readBlob });
    close = async () => one.client.close();
    return { ...one, archive: makeFile(TAR, "a.tar") };
  }

  test("is sent again to the next worker", async () => {
    const { client, archive, workers } = await open();
    const { files } = await client.mount("/repo", { archive });
    workers[0]?.crash();
    await client.listTools();
    assert.deepEqual([files, client.mounts().map((report) => report.files)], [1, [1]]);
  });

  test("is refused like any other tree, and can be mounted again", async () => {
    const error = { name: "WorkspaceInvalid", message: "'/repo' is mounted already" };
    const answers: Answers = { checkMount: { error } };
    const { client, archive } = await open(answers);
    await assert.rejects(client.mount("/repo", { archive }), error);
    answers.checkMount = { result: {} };
    assert.deepEqual((await client.mount("/repo", { archive })).files, 1);
  });

  test("leaves nothing when its mount is abandoned", async () => {
    const { client, archive, account } = await open();
    const controller = new AbortController();
    const mounting = client.mount("/repo", { archive }, { signal: controller.signal });
    controller.abort("enough");
    await assert.rejects(mounting, (reason) => reason === "enough");
    await client.listTools();
    assert.deepEqual([await client.mounts(), [...account.mounted]], [[], []]);
  });

  test("costs no later request its id if the worker cannot read it", async () => {
    const isUnreadableToWorker = (data: unknown) => Object(data).params?.path === "/unreadable";
    const { client, archive } = await open({}, { isUnreadableToWorker });
    await assert.rejects(client.mount("/unreadable", { archive }), UNREADABLE);
    assert.deepEqual((await client.mount("/repo", { archive })).files, 1);
  });

  // As a library makes them for runtimes that have no Blobs.
  const imitation = { [Symbol.toStringTag]: "Blob", size: 3 };
  const imitations: [string, object, RegExp | string][] = [
    ["that can be cloned", imitation, MALFORMED.message],
    [
      "that cannot be cloned",
      { ...imitation, text: () => "zip" },
      'The request holds what cannot be sent to a worker: ()=>"zip" could not be cloned.',
    ],
  ];
  for (const [what, archive, message] of imitations) {
    test(`is refused if it is an imitation ${what}, and the next one is mounted`, async () => {
      const { client, archive: real } = await open();
      await assert.rejects(client.mount("/repo", { archive: archive as Blob }), {
        name: "BadRequest",
        message,
      });
      assert.deepEqual((await client.mount("/repo", { archive: real })).files, 1);
    });
  }
});
