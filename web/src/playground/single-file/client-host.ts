/** The host of the single file's client: all that a page can do, with files of its own. */

import { pageHost, requireWebAssembly } from "../../hosts/page/client-host.ts";
import type { AssetReader } from "../../protocol/asset-files.ts";
import type { ClientHost } from "../../session/session.ts";
import { inPage } from "../../session/start-failure.ts";
import { fetchStartFiles } from "../../session/start-files.ts";
import type { WorkerLike } from "../../session/worker-process.ts";
import { embeddedFiles, embeddedText } from "./embedded-files.ts";
import { serveAssets } from "./worker/asset-port.ts";

/** Reads a file of the page by the address that it would have beside the page. */
export const readEmbedded: AssetReader = embeddedFiles(new URL(".", document.baseURI).href);

export const singleFileHost: ClientHost = {
  ...pageHost,
  fetchStartFiles: (assets) => fetchStartFiles(assets, readEmbedded),
  makeWorker,
};

/** Starts the worker from the page's own text, and answers its requests for files. */
function makeWorker(): WorkerLike {
  requireWebAssembly();
  const script = new Blob([embeddedText("worker")], { type: "text/javascript" });
  const address = URL.createObjectURL(script);
  // No module: Chromium starts none from a Blob of a page without an origin.
  const worker = new Worker(address, { name: "treeglass" });
  const { port1, port2 } = new MessageChannel();
  serveAssets(port1, readEmbedded);
  worker.postMessage(port2, [port2]);
  worker.addEventListener("message", () => URL.revokeObjectURL(address), { once: true });
  return Object.assign(worker, { startWords: inPage("this page") });
}
