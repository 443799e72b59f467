/** Spells what could forge lines or hide text, as the tools do in what they say. */

// Controls, line and paragraph separators, interlinear annotations, lone surrogates, and what is
// invisible by design, but for the two selectors that choose how a visible sign looks.
const HOSTILE =
  /(?![\ufe0e\ufe0f])[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu;

/** Returns text with its hostile characters spelled out, such as `\u{A}`, and all else kept. */
export function escapeControls(text: string): string {
  return text.replaceAll(HOSTILE, (character) => spell(character.codePointAt(0) ?? 0));
}

function spell(codePoint: number): string {
  // What stands for a byte that is no UTF-8.
  const isRawByte = 0xdc80 <= codePoint && codePoint <= 0xdcff;
  return isRawByte ? `\\x{${hex(codePoint - 0xdc00)}}` : `\\u{${hex(codePoint)}}`;
}

function hex(codePoint: number): string {
  return codePoint.toString(16).toUpperCase();
}
