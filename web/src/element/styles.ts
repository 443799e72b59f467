/** Makes the elements' style sheets as constructed ones, which a strict content policy allows. */
import box from "./box.css";
import demo from "./demo.css";

let sheet: CSSStyleSheet | null = null;

export function demoStyles(): CSSStyleSheet {
  sheet ??= makeSheet(box, demo);
  return sheet;
}

export function makeSheet(...texts: readonly string[]): CSSStyleSheet {
  const made = new CSSStyleSheet();
  made.replaceSync(texts.join("\n"));
  return made;
}
