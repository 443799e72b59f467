/** Makes a style sheet as a constructed one, which a strict content policy allows. */
export function makeSheet(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
}
