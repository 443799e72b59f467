/** Makes the reviews' style sheet as a constructed one, which a strict content policy allows. */
import box from "../box.css";
import { makeSheet } from "../styles.ts";
import review from "./review.css";

let sheet: CSSStyleSheet | null = null;

/** Returns the sheet that all reviews share. */
export function reviewStyles(): CSSStyleSheet {
  sheet ??= makeSheet(box, review);
  return sheet;
}
