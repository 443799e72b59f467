/** The entry of the playground as a single file: the same page, with the files that it fetches inside. */

import { render } from "preact";
import { connectIn } from "../../client/connect-in.ts";
import { pageHost, requireWebAssembly } from "../../hosts/page/client-host.ts";
import { type AssetReader, fetchAsset } from "../../protocol/asset-files.ts";
import type { ClientHost } from "../../session/session.ts";
import { inPage } from "../../session/start-failure.ts";
import { fetchStartFiles } from "../../session/start-files.ts";
import type { WorkerLike } from "../../session/worker-process.ts";
import { findElement } from "../../ui/make-element.ts";
import { App } from "../app.tsx";
import { restoreTheme } from "../shell/theme-choice.tsx";
import { openPage } from "../sources/open-page.ts";
import { PageState } from "../state/page-state.ts";
import { embeddedFiles } from "./embedded-files.ts";
import { serveAssets } from "./worker/asset-port.ts";

/** Reads a file of the page by the address that it would have beside the page. */
const readEmbedded: AssetReader = embeddedFiles(new URL(".", document.baseURI).href);

const singleFileHost: ClientHost = {
  ...pageHost,
  fetchStartFiles: (assets) => fetchStartFiles(assets, readEmbedded),
  makeWorker,
};

restoreTheme();
const page = new PageState({
  connect: (options) => connectIn(singleFileHost, options),
  fetchFile: (address, init) => fetchAsset(readEmbedded, address, init),
  isAlone: true,
});
render(<App page={page} />, findElement("page", HTMLElement));
void openPage(page);

/** Starts the worker from the page's own text, and answers its requests for files. */
function makeWorker(): WorkerLike {
  requireWebAssembly();
  const text = document.getElementById("worker")?.textContent ?? "";
  const script = new Blob([text], { type: "text/javascript" });
  const address = URL.createObjectURL(script);
  // No module: Chromium starts none from a Blob of a page without an origin.
  const worker = new Worker(address, { name: "treeglass" });
  const { port1, port2 } = new MessageChannel();
  serveAssets(port1, readEmbedded);
  worker.postMessage(port2, [port2]);
  worker.addEventListener("message", () => URL.revokeObjectURL(address), { once: true });
  return Object.assign(worker, { startWords: () => inPage("this page") });
}
