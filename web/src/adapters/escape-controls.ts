/** Spells out characters that could forge lines or hide text, as the tools do in their messages. */

// Controls, line and paragraph separators, interlinear annotations, lone surrogates, and characters
// that are invisible by design, except the two selectors that choose how a visible character looks.
const HOSTILE =
  /(?![\ufe0e\ufe0f])[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu;

/** Returns the text with its hostile characters spelled out, such as `\u{A}`. */
export function escapeControls(text: string): string {
  return text.replaceAll(HOSTILE, (character) => spell(character.codePointAt(0) ?? 0));
}

function spell(codePoint: number): string {
  // Python decodes a byte that is not UTF-8 to such a lone surrogate.
  const isRawByte = 0xdc80 <= codePoint && codePoint <= 0xdcff;
  return isRawByte ? `\\x{${hex(codePoint - 0xdc00)}}` : `\\u{${hex(codePoint)}}`;
}

function hex(codePoint: number): string {
  return codePoint.toString(16).toUpperCase();
}
