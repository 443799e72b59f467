/** The highlighting of each language, fetched with the first code of it. */

import type { LanguageSupport, StreamParser } from "@codemirror/language";

export type LoadedLanguage = LanguageSupport | StreamParser<unknown>;

/** By the endings of files, and by the names that a fence of Markdown has besides. */
const LANGUAGES: Readonly<Record<string, () => Promise<LoadedLanguage>>> = {
  "c cc cpp cxx h hh hpp c++": async () =>
    (await import("@codemirror/legacy-modes/mode/clike")).cpp,
  "cs csharp c#": async () => (await import("@codemirror/legacy-modes/mode/clike")).csharp,
  css: async () => (await import("@codemirror/lang-css")).css(),
  "dockerfile Dockerfile": async () =>
    (await import("@codemirror/legacy-modes/mode/dockerfile")).dockerFile,
  "go golang": async () => (await import("@codemirror/legacy-modes/mode/go")).go,
  "html htm svg vue": async () => (await import("@codemirror/lang-html")).html(),
  java: async () => (await import("@codemirror/legacy-modes/mode/clike")).java,
  "js jsx mjs cjs javascript": async () =>
    (await import("@codemirror/lang-javascript")).javascript({ jsx: true }),
  "json jsonl ipynb jsonc": async () => (await import("@codemirror/lang-json")).json(),
  "kt kts kotlin": async () => (await import("@codemirror/legacy-modes/mode/clike")).kotlin,
  lua: async () => (await import("@codemirror/legacy-modes/mode/lua")).lua,
  "md markdown": async () => (await import("@codemirror/lang-markdown")).markdown(),
  "py pyi python": async () => (await import("@codemirror/lang-python")).python(),
  "rb ruby": async () => (await import("@codemirror/legacy-modes/mode/ruby")).ruby,
  "rs rust": async () => (await import("@codemirror/legacy-modes/mode/rust")).rust,
  "sh bash zsh shell": async () => (await import("@codemirror/legacy-modes/mode/shell")).shell,
  sql: async () => (await import("@codemirror/legacy-modes/mode/sql")).standardSQL,
  swift: async () => (await import("@codemirror/legacy-modes/mode/swift")).swift,
  toml: async () => (await import("@codemirror/legacy-modes/mode/toml")).toml,
  "ts tsx mts cts typescript": async () =>
    (await import("@codemirror/lang-javascript")).javascript({ typescript: true, jsx: true }),
  xml: async () => (await import("@codemirror/legacy-modes/mode/xml")).xml,
  "yaml yml": async () => (await import("@codemirror/legacy-modes/mode/yaml")).yaml,
};

/** Returns the loader of a language, by a file's path or by its own name; null without one. */
export function languageOf(path: string): (() => Promise<LoadedLanguage>) | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const ending = name.slice(name.lastIndexOf(".") + 1);
  const found = Object.entries(LANGUAGES).find(([endings]) => endings.split(" ").includes(ending));
  return found?.[1] ?? null;
}
