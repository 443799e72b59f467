import assert from "node:assert/strict";
import { test } from "node:test";
import { WorkerChannel } from "../../src/session/worker-channel.ts";
import { serve } from "../../src/worker/serve.ts";
import { FOLDERS, workerHostWith } from "../support/hosts.ts";

test("a runtime that throws while it starts is a failed start, told in one line", async () => {
  const { port1, port2 } = new MessageChannel();
  serve(port2, workerHostWith(), {
    load: () => undefined,
    start: async () => {
      throw new Error("Traceback:\n  File x\nImportError: no pydantic_core\n");
    },
  });
  port2.start();
  const channel = new WorkerChannel(port1, () => undefined);
  port1.start();
  const params = { folders: FOLDERS, image: null, interrupts: null };
  const start = channel.start(params, () => undefined);
  await assert.rejects(start, {
    name: "StartFailed",
    message:
      "The runtime failed while it started: ImportError: no pydantic_core. Serve every file of the package's assets folder, as it was published.",
  });
  port1.close();
});
