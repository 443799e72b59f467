/** The entry of the playground as a single file: the same page, with all that it fetches inside. */

import { Playground } from "../../playground/playground.ts";
import { startThemeToggle } from "../../playground/theme-toggle.ts";
import { type AssetHolder, answerOverPort, holdAssets } from "../../protocol/asset-files.ts";
import { makeWorkersBy } from "../page/page-host.ts";
import { embeddedFiles, embeddedText } from "./embedded-files.ts";

const folder = new URL(".", document.baseURI).href;
const files = embeddedFiles(folder);
holdAssets(files);
makeWorkersBy(() => makeWorker(files));
startThemeToggle();
const playground = new Playground();
void playground.open();
void linkToTree(files);

/** Starts the worker from the page's own text, and answers what it asks for. */
function makeWorker(find: AssetHolder): Worker {
  const script = new Blob([embeddedText("worker")], { type: "text/javascript" });
  const address = URL.createObjectURL(script);
  // No module: Chromium starts none from a Blob of a page without an origin.
  const worker = new Worker(address, { name: "treeglass" });
  const { port1, port2 } = new MessageChannel();
  answerOverPort(port1, find);
  worker.postMessage(port2, [port2]);
  worker.addEventListener("message", () => URL.revokeObjectURL(address), { once: true });
  return worker;
}

/** Has the link to the tree lead into this file: beside it there is nothing. */
async function linkToTree(find: AssetHolder): Promise<void> {
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[download]")) {
    // Of a tree that is damaged the page says so where it mounts it.
    const bytes = await find(link.href).catch(() => null);
    if (bytes === null) {
      link.removeAttribute("href");
    } else {
      link.href = URL.createObjectURL(new Blob([bytes]));
    }
  }
}
