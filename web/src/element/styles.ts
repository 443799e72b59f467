/** Makes style sheets as constructed ones, which a strict content policy allows. */
import views from "./views.css";

export function makeSheet(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
}

let sheetOfViews: CSSStyleSheet | null = null;

/** Gives a demo the styles of its further views, once. */
export function adoptViewStyles(root: Node): void {
  sheetOfViews ??= makeSheet(views);
  if (root instanceof ShadowRoot && !root.adoptedStyleSheets.includes(sheetOfViews)) {
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheetOfViews];
  }
}
