/** Gives a demo the styles of its further views. */
import views from "./views.css";

let sheet: CSSStyleSheet | null = null;

/** Adds the styles to a root, once. */
export function adoptViewStyles(root: Node): void {
  if (sheet === null) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(views);
  }
  if (root instanceof ShadowRoot && !root.adoptedStyleSheets.includes(sheet)) {
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  }
}
