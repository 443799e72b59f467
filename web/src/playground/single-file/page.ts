/** The entry of the playground as a single file: the same page, with the files that it fetches inside. */

import { connectIn } from "../../client/connect-in.ts";
import { fetchAsset } from "../../protocol/asset-files.ts";
import { Playground } from "../playground.ts";
import { startThemeToggle } from "../theme-toggle.ts";
import { readEmbedded, singleFileHost } from "./client-host.ts";

startThemeToggle();
const playground = new Playground({
  connect: (options) => connectIn(singleFileHost, options),
  fetchFile: (address, init) => fetchAsset(readEmbedded, address, init),
});
void playground.open();
void linkToTree();

/** Makes the link to the tree lead into this file, since no other file lies beside it. */
async function linkToTree(): Promise<void> {
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[download]")) {
    // The page reports a damaged tree when it mounts it.
    const bytes = await readEmbedded(link.href).catch(() => null);
    if (bytes === null) {
      link.removeAttribute("href");
    } else {
      link.href = URL.createObjectURL(new Blob([bytes]));
    }
  }
}
