/** Escapes characters of names that can forge or hide text, exactly as Python does. */

/** For a character class: the characters that the tools escape in names, without `LAYOUT`. */
export const HOSTILE =
  "\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ufff9-\\ufffb\\u{d800}-\\u{dfff}" +
  "\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f" +
  "\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0d\\ufeff\\uffa0\\ufff0-\\ufff8" +
  "\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}";
/** For a character class: tab and line feed, layout in a listing but forged lines in a name. */
export const LAYOUT = "\\u0009\\u000a";

const SPELLING = "\\\\(?=u\\{[0-9A-F]{1,6}\\}|x\\{[0-9A-F]{2}\\})";
const NAME_ESCAPE = new RegExp(`[${HOSTILE}${LAYOUT}]|${SPELLING}`, "gu");

/** Returns a path with its names escaped as the tools print and accept them. */
export function escapePath(path: string): string {
  return path.replace(NAME_ESCAPE, (character) => `\\u{${spell(character)}}`);
}

/** Returns a character's code point in hexadecimal digits. */
export function spell(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
}
