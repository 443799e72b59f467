/** The entry of the playground: sets the script policy and the theme, then opens the page. */

import { render } from "preact";
import { findElement } from "../ui/make-element.ts";
import { App } from "./app.tsx";
import { restoreTheme } from "./shell/theme-choice.tsx";
import { trustOwnWorker } from "./shell/trusted-worker.ts";
import { openPage } from "./sources/open-page.ts";
import { PageState } from "./state/page-state.ts";

trustOwnWorker();
restoreTheme();
const page = new PageState();
render(<App page={page} />, findElement("page", HTMLElement));
void openPage(page);
