/** Texts as UTF-8 and Python take them. */

export const LONE_SURROGATES = /\p{Surrogate}/gu;

/** Returns the text with U+FFFD for each lone surrogate, which UTF-8 cannot encode. */
export function toWellFormed(text: string): string {
  return text.replace(LONE_SURROGATES, "\uFFFD");
}
