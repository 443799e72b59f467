import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { type TestContext, test } from "node:test";
import { fetchStartFiles } from "../../src/session/start-files.ts";
import { type Answer, type Loopback, startLoopback } from "../support/loopback.ts";

/** A module with nothing but a custom section of this many bytes, up to 127. */
function codeOf(bytes: number): Buffer {
  const head = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  return Buffer.from([...head, 0, bytes, 1, 0x78, ...Array(bytes - 2).fill(7)]);
}

const CODE = codeOf(100);
const SIDE_CODE = codeOf(20);
const MEMORY = Buffer.from("memory");

function described(path: string, content: Buffer) {
  const sha256 = createHash("sha256").update(content).digest("hex");
  return { path, bytes: content.length, sha256 };
}

const MANIFEST = JSON.stringify({
  folders: { pyodide: "p/", packages: "t/" },
  files: {},
  image: {
    pyodideVersion: "1",
    fingerprint: 1,
    archives: {},
    interpreter: described("first.wasm", CODE),
    sideModule: described("side.wasm", SIDE_CODE),
    memory: described("image.bin", MEMORY),
  },
});

/** Serves the assets, with an answer of the test for the interpreter. */
async function serve(context: TestContext, interpreter: Answer): Promise<Loopback> {
  const server = await startLoopback();
  context.after(() => server.close());
  server.put("/start.json", { body: MANIFEST });
  server.put("/first.wasm", interpreter);
  server.put("/side.wasm", { body: SIDE_CODE });
  server.put("/image.bin", { body: MEMORY });
  return server;
}

test("the other parts of an image are asked for once half of the interpreter is there", async (context) => {
  const server = await serve(context, (first) => {
    first.write(CODE.subarray(0, CODE.length / 2));
    // The rest comes when another part was asked for.
    server.put("/image.bin", (response) => {
      response.end(MEMORY);
      first.end(CODE.subarray(CODE.length / 2));
    });
  });

  const { hasImage } = await fetchStartFiles(server.address).files;

  const [manifest, first, ...others] = server.asked;
  assert.deepEqual(
    [hasImage, manifest, first, others.sort()],
    [true, "/start.json", "/first.wasm", ["/image.bin", "/side.wasm"]],
  );
});

const OTHERS: [string, Buffer][] = [
  ["longer", codeOf(101)],
  ["shorter", codeOf(99)],
  ["another one of the same length", Buffer.from(CODE).fill(8, 12)],
];
for (const [what, body] of OTHERS) {
  test(`an interpreter that is ${what} is not used`, async (context) => {
    const server = await serve(context, { body });

    const { image } = await fetchStartFiles(server.address).plan;

    await assert.rejects(image?.parts.interpreter ?? assert.fail(), {
      message: "first.wasm is not the file that start.json names",
    });
  });
}
