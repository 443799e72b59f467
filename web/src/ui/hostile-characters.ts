/** Shows characters that can forge or hide text as visible marks. */
import { HOSTILE, LAYOUT, spell } from "../lib/spelling.ts";
import { makeElement } from "./make-element.ts";

const NAME_MARK = /* @__PURE__ */ new RegExp(`(?:${HOSTILE}|${LAYOUT})+`, "gu");
// A space at the end of a line is as invisible as a control character.
const TEXT_MARK = /* @__PURE__ */ new RegExp(`(?:${HOSTILE})+|\\t+| +(?=\\n|$)`, "gu");
const JSON_ESCAPE = /* @__PURE__ */ new RegExp(HOSTILE, "gu");

/** Names of the control characters: their pictures in Unicode are too small to read. */
const C0_NAMES = (
  "NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI " +
  "DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US"
).split(" ");
const DELETE = 0x7f;

/** Returns JSON text with the same value, in which hostile characters are escaped. */
export function escapeJson(text: string): string {
  return text.replace(JSON_ESCAPE, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}

/** Returns a file name as nodes in which every hostile character is a visible mark. */
export function showName(name: string): DocumentFragment {
  return show(name, NAME_MARK);
}

/** Returns a text as nodes in which hostile characters, tabs and trailing spaces are marks. */
export function showText(text: string): DocumentFragment {
  return show(text, TEXT_MARK);
}

function show(text: string, pattern: RegExp): DocumentFragment {
  const fragment = document.createDocumentFragment();
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    fragment.append(text.slice(end, match.index));
    // One mark for a run of characters: a file of zeros must not become a million elements.
    fragment.append(pattern === TEXT_MARK ? markInText(match[0]) : mark(match[0]));
    end = match.index + match[0].length;
  }
  fragment.append(text.slice(end));
  return fragment;
}

function mark(run: string): HTMLElement {
  return makeElement("span", { class: "invisible" }, Array.from(run, draw).join(" "));
}

/** Marks a run; spaces and tabs keep their width, since a text's columns carry meaning. */
function markInText(run: string): HTMLElement {
  if (run.startsWith(" ")) {
    return makeElement("span", { class: "invisible blanks" }, "\u00b7".repeat(run.length));
  }
  return run.startsWith("\t") ? makeElement("span", { class: "invisible tabs" }, run) : mark(run);
}

function draw(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  const unnamed = `U+${spell(character).padStart(4, "0")}`;
  return C0_NAMES[codePoint] ?? (codePoint === DELETE ? "DEL" : unnamed);
}
