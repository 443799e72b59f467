/** Makes the elements' style sheets as constructed ones, which a strict content policy allows. */
import box from "./box.css";
import demo from "./demo.css";

let sheet: CSSStyleSheet | null = null;

/** Returns the sheet that all demos share. */
export function demoStyles(): CSSStyleSheet {
  sheet ??= makeSheet(box, demo);
  return sheet;
}

/** Returns a sheet of these texts, one after the other. */
export function makeSheet(...texts: readonly string[]): CSSStyleSheet {
  const made = new CSSStyleSheet();
  made.replaceSync(texts.join("\n"));
  return made;
}
