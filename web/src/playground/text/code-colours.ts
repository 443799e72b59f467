/** The colours of code, in an open file and in an answer; fetched with the first code. */

import {
  HighlightStyle,
  type Language,
  LanguageSupport,
  StreamLanguage,
} from "@codemirror/language";
import { highlightCode, tags } from "@lezer/highlight";
import type { LoadedLanguage } from "./languages.ts";

export const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: "var(--code-keyword)" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--code-number)" },
  { tag: [tags.comment, tags.meta], color: "var(--dim)", fontStyle: "italic" },
  {
    tag: [tags.definition(tags.variableName), tags.function(tags.variableName), tags.typeName],
    color: "var(--code-name)",
  },
  { tag: [tags.heading, tags.strong], fontWeight: "600" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: [tags.propertyName, tags.attributeName, tags.tagName], color: "var(--code-name)" },
]);

// For answers; CodeMirror's own way to add them to a page is a `<style>`, which the policy refuses.
const sheet = new CSSStyleSheet();
sheet.replaceSync(COLOURS.module?.getRules() ?? "");
document.adoptedStyleSheets.push(sheet);

export function toLanguage(loaded: LoadedLanguage): Language {
  return loaded instanceof LanguageSupport ? loaded.language : StreamLanguage.define(loaded);
}

/** A part of a code, and the classes of its colour; "" has none. */
export interface CodePart {
  readonly text: string;
  readonly classes: string;
}

/** Returns a function that splits a code of a language into the parts that have a colour. */
export function colouring(loaded: LoadedLanguage): (code: string) => readonly CodePart[] {
  const { parser } = toLanguage(loaded);
  return (code) => {
    const parts: CodePart[] = [];
    const put = (text: string, classes: string) => parts.push({ text, classes });
    highlightCode(code, parser.parse(code), COLOURS, put, () => put("\n", ""));
    return parts;
  };
}
