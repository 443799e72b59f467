/** The playground's entry: sets the script policy and the theme, then opens the page. */

import { Playground } from "./playground.ts";
import { startThemeToggle } from "./theme-toggle.ts";
import { trustOwnWorker } from "./trusted-worker.ts";

trustOwnWorker();
startThemeToggle();
void new Playground().open();
