/** The script of every page of the documentation. */
import { addCopyButtons } from "./copy-buttons.ts";
import { stackWideTables } from "./narrow-tables.ts";

addCopyButtons();
stackWideTables();
