/** The style sheet of a demo: a constructed one, which a strict policy allows. */
import demo from "./demo.css";
import files from "./files.css";

let sheet: CSSStyleSheet | null = null;

/** Returns the shared style sheet of all demos. */
export function demoStyles(): CSSStyleSheet {
  if (sheet === null) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(`${demo}\n${files}`);
  }
  return sheet;
}
