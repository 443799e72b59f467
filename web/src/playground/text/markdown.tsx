/** An answer in Markdown: no HTML is made, and HTML in the text is shown as text. */

import { signal } from "@preact/signals";
import type { MarkedToken, Token, Tokens } from "marked";
import { type ComponentChildren, h } from "preact";
import { useEffect } from "preact/hooks";
import { Button } from "../shell/button.tsx";
import { CopyButton } from "../shell/copy-button.tsx";
import { Scrolling } from "../shell/scrolling.tsx";
import type { PageState } from "../state/page-state.ts";
import { ColouredCode } from "./coloured-code.tsx";
import { isFileThere, readNamedFile, webAddress } from "./markdown-links.ts";
import { MarkedText } from "./marked-text.tsx";

type Lex = (text: string) => readonly Token[];

/** The lexer, which is loaded with the first answer; the text is shown as it is before. */
const lexer = signal<Lex | null>(null);

async function loadLexer(): Promise<void> {
  const { Lexer } = await import("marked");
  lexer.value ??= (text) => new Lexer({ gfm: true }).lex(text);
}

interface MarkdownProps {
  readonly page: PageState;
  readonly text: string;
  /** The level of the heading above the text; 1 unless given. */
  readonly below?: number;
}

export function Markdown({ page, text, below = 1 }: MarkdownProps) {
  useEffect(() => void loadLexer(), []);
  const lex = lexer.value;
  return (
    <div class="markdown" dir="auto">
      {lex === null ? (
        <p class="plain-text">{text}</p>
      ) : (
        renderTokens(lower(lex(text), below), page)
      )}
    </div>
  );
}

/** Puts the headings of a text below one of the page; a heading in a quote stays as it is. */
function lower(tokens: readonly Token[], below: number): readonly Token[] {
  return tokens.map((token) =>
    token.type === "heading" ? { ...token, depth: token.depth + below - 1 } : token,
  );
}

/** Opens files on `page`; null makes no links, for the words of a link. */
type LinkTarget = PageState | null;

export function renderTokens(
  tokens: readonly Token[] | undefined,
  page: LinkTarget,
): ComponentChildren[] {
  // The lexer is made without extensions, so it returns its own tokens only.
  return (tokens ?? []).map((token) => renderToken(token as MarkedToken, page));
}

function renderToken(token: MarkedToken, page: LinkTarget): ComponentChildren {
  switch (token.type) {
    case "heading":
      // The page has a heading above; those of an answer begin below it.
      return h(`h${Math.min(6, token.depth + 1)}`, {}, renderTokens(token.tokens, page));
    case "paragraph":
      return h("p", {}, renderTokens(token.tokens, page));
    case "strong":
    case "em":
    case "del":
    case "blockquote":
      return h(token.type, {}, renderTokens(token.tokens, page));
    case "br":
    case "hr":
      return h(token.type, {});
    case "list":
      return renderList(token, page);
    case "code":
      return h(CodeBlock, { language: languageOf(token), text: token.text });
    case "codespan": {
      const words = h("code", {}, h(MarkedText, { text: token.text }));
      return page === null ? words : h(FileLink, { page, named: token.text, words });
    }
    case "link":
      return renderLink(token.href, renderTokens(token.tokens, null), page);
    case "image":
      // An image would be fetched from its host, so its words stand for it.
      return renderLink(token.href, token.text || token.href, page);
    case "table":
      return renderTable(token, page);
    case "checkbox":
      return token.checked ? "☑ " : "☐ ";
    case "space":
    case "def":
      return null;
    case "text":
      return token.tokens === undefined
        ? h(MarkedText, { text: decodeReferences(token.text) })
        : renderTokens(token.tokens, page);
    case "escape":
      return decodeReferences(token.text);
    default:
      return h(MarkedText, { text: token.raw });
  }
}

function renderList({ ordered, start, items }: Tokens.List, page: LinkTarget) {
  const rows = items.map(({ tokens }) => h("li", {}, renderTokens(tokens, page)));
  return ordered ? h("ol", start === "" ? {} : { start }, rows) : h("ul", {}, rows);
}

function renderTable({ header, rows }: Tokens.Table, page: LinkTarget) {
  const row = (tag: "th" | "td", cells: readonly Tokens.TableCell[]) =>
    h("tr", {}, ...cells.map(({ tokens }) => h(tag, {}, renderTokens(tokens, page))));
  const body = rows.map((cells) => row("td", cells));
  const table = h("table", {}, h("thead", {}, row("th", header)), h("tbody", {}, body));
  return h(Scrolling, { label: "Table", children: table });
}

function renderLink(href: string, words: ComponentChildren, page: LinkTarget) {
  const address = webAddress(href);
  if (page === null) {
    return words;
  }
  return address === null
    ? h(FileLink, { page, named: href, words })
    : h("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, words);
}

/** Returns the language of a fence, such as `ts`; "" if the fence names none. */
function languageOf({ lang }: Tokens.Code): string {
  return /^[\w+#.-]{1,30}/.exec(lang ?? "")?.[0] ?? "";
}

/** The character references that models write; the lexer leaves them to the HTML that we do not make. */
const REFERENCES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": "\u00a0",
};

function decodeReferences(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (name) => REFERENCES[name] ?? name);
}

function CodeBlock({ language, text }: { readonly language: string; readonly text: string }) {
  return (
    <div class="code-block">
      <div class="row">
        <span class="first">{language}</span>
        <CopyButton label="Copy" text={() => text} />
      </div>
      <Scrolling label={language === "" ? "Code" : `Code, ${language}`}>
        <pre>
          <ColouredCode language={language} text={text} />
        </pre>
      </Scrolling>
    </div>
  );
}

interface FileLinkProps {
  readonly page: PageState;
  /** A text that may name a file, such as `src/a.py:3`. */
  readonly named: string;
  readonly words: ComponentChildren;
}

/** Words that open a file, if the mounted tree has the file. */
function FileLink({ page, named, words }: FileLinkProps) {
  const file = readNamedFile(named);
  if (file === null || !isFileThere(page, file.path)) {
    return <>{words}</>;
  }
  return (
    <Button class="file-link" onClick={() => page.showFile(file.path, file.lines)} words={words} />
  );
}
