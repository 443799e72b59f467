/** The worker of the single file: a page's worker that reads the assets over a port to the page. */
import { serve } from "../../../worker/serve.ts";
import { passForModuleWorker } from "../../../worker/start/patches/globals.ts";
import { requestAssetsOver } from "./asset-port.ts";
import { singleFileWorkerHost } from "./worker-host.ts";

passForModuleWorker();

addEventListener("message", ({ data }) => begin(data), { once: true });

function begin(port: MessagePort): void {
  serve(self, singleFileWorkerHost(requestAssetsOver(port)));
}
