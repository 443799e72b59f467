/** Gives a demo the styles of its further views. */
import { makeSheet } from "./styles.ts";
import views from "./views.css";

let sheet: CSSStyleSheet | null = null;

/** Adds the styles to a root, once. */
export function adoptViewStyles(root: Node): void {
  sheet ??= makeSheet(views);
  if (root instanceof ShadowRoot && !root.adoptedStyleSheets.includes(sheet)) {
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  }
}
