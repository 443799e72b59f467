/** How a demo looks; as a constructed sheet, which a strict policy lets through. */
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
