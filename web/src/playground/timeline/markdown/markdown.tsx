/** An answer in Markdown; the lexer is loaded with the first. */

import { signal } from "@preact/signals";
import type { Token } from "marked";
import { useEffect } from "preact/hooks";
import type { PageState } from "../../state/page-state.ts";
import { renderTokens } from "./markdown-nodes.ts";

type Lex = (text: string) => readonly Token[];

/** The lexer, once it is loaded; the text is shown as it is before. */
const lexer = signal<Lex | null>(null);

async function loadLexer(): Promise<void> {
  const { Lexer } = await import("marked");
  lexer.value ??= (text) => new Lexer({ gfm: true }).lex(text);
}

export function Markdown({ page, text }: { readonly page: PageState; readonly text: string }) {
  useEffect(() => void loadLexer(), []);
  const lex = lexer.value;
  return (
    <div class="markdown" dir="auto">
      {lex === null ? <p class="plain-text">{text}</p> : renderTokens(lex(text), page)}
    </div>
  );
}
