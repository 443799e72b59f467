/** The playground's entry: what may run and the theme first, then the page, then the sample tree. */

import { Playground } from "./playground.ts";
import { startThemeToggle } from "./theme-toggle.ts";
import { trustOwnWorker } from "./trusted-worker.ts";

trustOwnWorker();
startThemeToggle();
void new Playground().open();
