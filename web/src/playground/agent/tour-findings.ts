/** What the guided tour reads from answers. */

import { estimateTokens, sizeBytes } from "../../adapters/output-profile.ts";
import type { ToolOutcome } from "../../adapters/toolset-types.ts";
import { isRecord } from "../../lib/checks.ts";
import { escapePath } from "../../lib/spelling.ts";
import { formatCount, formatCounted } from "../../page-parts/format-quantities.ts";

/** An entry of a listing; the path is relative to the listed directory, as the tools spell it. */
export interface FoundEntry {
  readonly path: string;
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  /** Null if the listing does not say. */
  readonly sizeBytes: number | null;
}

/** The suffixes of source code. */
const SOURCE_SUFFIXES =
  /\.(py|ts|tsx|js|mjs|jsx|rs|go|java|kt|rb|c|h|cc|cpp|cs|swift|php|scala|lua|ex|hs|sh)$/i;
const TEXT_SUFFIXES = /\.(md|rst|txt|toml|ya?ml|json|cfg|ini|html|css|xml|csv)$/i;
const MAIN_NAMES = /(^|\/)(main|index|app|lib|mod|cli|core|client|server|__main__)\.[^/.]+$/i;
const SOURCE_DIRECTORIES = /^(src|lib|app|source|packages|pkg|crates|cmd|internal)$/i;
const ASIDE =
  /(^|\/)(\.[^/]*|tests?|spec|fixtures|docs?|examples?|bench\w*|vendor|node_modules|build\w*|dist|scripts?|tools?)(\/|$)/i;

/** Small files say little, and large files are rarely written by hand. */
const WORTH_READING_BYTES = { min: 600, max: 30_000 } as const;

const DEFINITION =
  /^(?:export |pub(?:\([^)]*\))? |public |async |static |abstract |final |default )*(?:def|class|function|fn|func|interface|struct|enum|trait|type|const|module)\b.*$/;

const MAX_QUOTED_CHARACTERS = 80;

/** Returns the entries of an answer by `LS` or `list_directory`; null if it is not a listing. */
export function findEntries({ result }: ToolOutcome): readonly FoundEntry[] | null {
  const structured = result?.structuredContent;
  const holder = isRecord(structured?.data) ? structured.data : structured;
  const entries = isRecord(holder) ? holder.entries : null;
  return Array.isArray(entries) && !result?.isError ? entries.flatMap(toEntry) : null;
}

function toEntry(entry: unknown): readonly FoundEntry[] {
  if (!isRecord(entry) || typeof entry.path !== "string") {
    return [];
  }
  const size = entry.size_bytes;
  return [
    {
      path: escapePath(entry.path),
      isFile: entry.type === "file",
      isDirectory: entry.type === "dir",
      sizeBytes: typeof size === "number" ? size : null,
    },
  ];
}

/** Returns the file that introduces a directory; null if no file looks like text. */
export function chooseIntroduction(entries: readonly FoundEntry[]): string | null {
  const files = entries.filter(({ isFile, sizeBytes: size }) => isFile && size !== 0);
  const found =
    files.find(({ path }) => /^readme(\.|$)/i.test(path)) ??
    files.find(({ path }) => TEXT_SUFFIXES.test(path)) ??
    files.find(({ path }) => SOURCE_SUFFIXES.test(path)) ??
    files[0];
  return found?.path ?? null;
}

/** Returns the directory that most likely has the source code; null if there is no directory. */
export function chooseDirectory(entries: readonly FoundEntry[]): string | null {
  const directories = entries.filter(({ isDirectory }) => isDirectory).map(({ path }) => path);
  const found =
    directories.find((path) => SOURCE_DIRECTORIES.test(path)) ??
    directories.find((path) => !ASIDE.test(path)) ??
    directories[0];
  return found ?? null;
}

/** Returns the most promising source file; null if there is no source file. */
export function chooseSource(
  entries: readonly FoundEntry[],
  besides: string | null,
): string | null {
  const sources = entries.filter(
    ({ path, isFile }) => isFile && path !== besides && SOURCE_SUFFIXES.test(path),
  );
  const worth = ({ path, sizeBytes: size }: FoundEntry) =>
    (ASIDE.test(path) ? 0 : 4) +
    (size === null || (size >= WORTH_READING_BYTES.min && size <= WORTH_READING_BYTES.max)
      ? 2
      : 0) +
    (MAIN_NAMES.test(path) ? 1 : 0);
  let best: FoundEntry | null = null;
  for (const entry of sources) {
    if (best === null || worth(entry) > worth(best)) {
      best = entry;
    }
  }
  return best?.path ?? null;
}

/**
 * Returns a line to quote from an answer of `read_file`: a definition, a sentence, or else the
 * first line with a letter; null if no line has a letter.
 */
export function quoteLine({ text }: ToolOutcome): string | null {
  const lines = text.split("\n").map((line) => line.replace(/^L\d+: /, "").trim());
  const worthy = lines.filter((line) => /[\p{L}\p{N}]/u.test(line));
  const line =
    worthy.find((candidate) => SENTENCE.test(candidate)) ??
    worthy.find((candidate) => DEFINITION.test(candidate)) ??
    worthy[0];
  return line === undefined ? null : quote(line);
}

/** At least five words that look like prose, not like code. */
const SENTENCE = /^(?:["'#*/>]+\s*)?\p{Lu}[^\s=(){};<>]*(?: [^\s={};<>]+){4,}/u;

/** Returns a text in quotation marks; cuts a long text. */
export function quote(text: string): string {
  const characters = Array.from(text.replace(/\s+/g, " "));
  const isLong = characters.length > MAX_QUOTED_CHARACTERS;
  return `“${isLong ? `${characters.slice(0, MAX_QUOTED_CHARACTERS).join("")}…` : characters.join("")}”`;
}

/** Returns the size of an answer in words. */
export function weigh({ text }: ToolOutcome): string {
  const bytes = sizeBytes(text);
  return `${formatCounted(bytes, "byte")}, about ${formatCount(estimateTokens(text))} tokens`;
}

const MAX_NAMES = 5;

/** Returns up to five names, and the number of the others. */
export function enumerate(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => quote(name));
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${formatCount(more)} more` : shown.join(", ");
}
