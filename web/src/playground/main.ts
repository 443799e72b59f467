/** The playground's entry: theme first, then the page, then the sample tree. */

import { Playground } from "./playground.ts";
import { startThemeToggle } from "./theme-toggle.ts";

startThemeToggle();
void new Playground().open();
