/** The entry of the playground as a single file: the same page, with the files that it fetches inside. */

import { render } from "preact";
import { connectIn } from "../../client/connect-in.ts";
import { fetchAsset } from "../../protocol/asset-files.ts";
import { findElement } from "../../ui/make-element.ts";
import { App } from "../app.tsx";
import { restoreTheme } from "../shell/theme-choice.tsx";
import { openPage } from "../sources/open-page.ts";
import { PageState } from "../state/page-state.ts";
import { readEmbedded, singleFileHost } from "./client-host.ts";

restoreTheme();
const page = new PageState({
  connect: (options) => connectIn(singleFileHost, options),
  fetchFile: (address, init) => fetchAsset(readEmbedded, address, init),
  isAlone: true,
});
render(<App page={page} />, findElement("page", HTMLElement));
void openPage(page);
