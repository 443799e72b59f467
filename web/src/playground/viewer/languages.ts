/** The highlighting of each language, fetched when a file of it is opened. */

import type { LanguageSupport, StreamParser } from "@codemirror/language";

type LoadedLanguage = LanguageSupport | StreamParser<unknown>;

const LANGUAGES: Readonly<Record<string, () => Promise<LoadedLanguage>>> = {
  "c cc cpp cxx h hh hpp": async () => (await import("@codemirror/legacy-modes/mode/clike")).cpp,
  cs: async () => (await import("@codemirror/legacy-modes/mode/clike")).csharp,
  css: async () => (await import("@codemirror/lang-css")).css(),
  "dockerfile Dockerfile": async () =>
    (await import("@codemirror/legacy-modes/mode/dockerfile")).dockerFile,
  go: async () => (await import("@codemirror/legacy-modes/mode/go")).go,
  "html htm svg vue": async () => (await import("@codemirror/lang-html")).html(),
  java: async () => (await import("@codemirror/legacy-modes/mode/clike")).java,
  "js jsx mjs cjs": async () =>
    (await import("@codemirror/lang-javascript")).javascript({ jsx: true }),
  "json jsonl ipynb": async () => (await import("@codemirror/lang-json")).json(),
  "kt kts": async () => (await import("@codemirror/legacy-modes/mode/clike")).kotlin,
  lua: async () => (await import("@codemirror/legacy-modes/mode/lua")).lua,
  "md markdown": async () => (await import("@codemirror/lang-markdown")).markdown(),
  "py pyi": async () => (await import("@codemirror/lang-python")).python(),
  rb: async () => (await import("@codemirror/legacy-modes/mode/ruby")).ruby,
  rs: async () => (await import("@codemirror/legacy-modes/mode/rust")).rust,
  "sh bash zsh": async () => (await import("@codemirror/legacy-modes/mode/shell")).shell,
  sql: async () => (await import("@codemirror/legacy-modes/mode/sql")).standardSQL,
  swift: async () => (await import("@codemirror/legacy-modes/mode/swift")).swift,
  toml: async () => (await import("@codemirror/legacy-modes/mode/toml")).toml,
  "ts tsx mts cts": async () =>
    (await import("@codemirror/lang-javascript")).javascript({ typescript: true, jsx: true }),
  xml: async () => (await import("@codemirror/legacy-modes/mode/xml")).xml,
  "yaml yml": async () => (await import("@codemirror/legacy-modes/mode/yaml")).yaml,
};

/** Returns the loader for a file's language by the end of its name; null without one. */
export function languageOf(path: string): (() => Promise<LoadedLanguage>) | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const ending = name.slice(name.lastIndexOf(".") + 1);
  const found = Object.entries(LANGUAGES).find(([endings]) => endings.split(" ").includes(ending));
  return found?.[1] ?? null;
}
