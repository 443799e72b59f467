/** Escapes characters of names that can forge or hide text, exactly as Python does. */

/** Matches a character that the tools escape in names; `LAYOUT` matches the two others. */
export const HOSTILE =
  // The last two choose between a character as text and as a picture, and hide nothing.
  "(?![\\t\\n\\ufe0e\\ufe0f])[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}\\p{DI}\\ufff9-\\ufffb]";
/** Matches a tab or a line feed, layout in a listing but forged lines in a name. */
export const LAYOUT = "[\\t\\n]";

const SPELLING = "\\\\(?=u\\{[0-9A-F]{1,6}\\}|x\\{[0-9A-F]{2}\\})";
const NAME_ESCAPE = new RegExp(`${HOSTILE}|${LAYOUT}|${SPELLING}`, "gu");

/** Returns a path with its names escaped as the tools print and accept them. */
export function escapePath(path: string): string {
  return path.replace(NAME_ESCAPE, (character) => `\\u{${spell(character)}}`);
}

/** Returns a character's code point in hexadecimal digits. */
export function spell(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
}
