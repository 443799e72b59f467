/** Makes the demos' style sheet as a constructed one, which a strict content policy allows. */
import demo from "./demo.css";
import files from "./files.css";

let sheet: CSSStyleSheet | null = null;

/** Returns the sheet that all demos share. */
export function demoStyles(): CSSStyleSheet {
  if (sheet === null) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(`${demo}\n${files}`);
  }
  return sheet;
}
