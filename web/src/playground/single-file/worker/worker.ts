/** The worker of the single file: a page's worker that reads the assets over a port to the page. */
import { pageWorkerHost } from "../../../hosts/page/worker/worker-host.ts";
import { type AssetReader, findAsset } from "../../../protocol/asset-files.ts";
import { serve } from "../../../worker/serve.ts";
import { passForModuleWorker } from "../../../worker/start/pyodide-modules.ts";
import type { WorkerHost } from "../../../worker/worker-host.ts";
import { requestAssetsOver } from "./asset-port.ts";

passForModuleWorker();

addEventListener("message", ({ data }) => begin(data), { once: true });

function begin(port: MessagePort): void {
  serve(self, singleFileWorkerHost(requestAssetsOver(port)));
}

/** Returns the host of a worker that reads the assets by `readAsset`. */
function singleFileWorkerHost(readAsset: AssetReader): WorkerHost {
  /** By address: as with any import, there is one instance of a module. */
  const imported = new Map<string, Promise<unknown>>();
  const readOnce = keepingModules(readAsset);
  return {
    ...pageWorkerHost,
    readAsset: readOnce,
    importModule(address) {
      const module = imported.get(address) ?? importEmbedded(address, readOnce);
      imported.set(address, module);
      return module;
    },
    wordMissingAssets: (_assets, what) =>
      `The runtime inside this page could not be used: ${what}. Get the page again.`,
  };
}

/** Returns a reader that keeps modules: a start reads each to check it, and again to import it. */
function keepingModules(readAsset: AssetReader): AssetReader {
  const kept = new Map<string, ReturnType<AssetReader>>();
  return (address) => {
    const content = kept.get(address) ?? readAsset(address);
    if (address.endsWith(".mjs")) {
      kept.set(address, content);
    }
    return content;
  };
}

async function importEmbedded(address: string, readAsset: AssetReader): Promise<unknown> {
  const file = await findAsset(readAsset, address);
  if (file === null) {
    return pageWorkerHost.importModule(address);
  }
  // Made here: Chromium lets a worker without an origin import no Blob that its page has made.
  const own = URL.createObjectURL(await file.blob());
  try {
    return await pageWorkerHost.importModule(own);
  } finally {
    URL.revokeObjectURL(own);
  }
}
