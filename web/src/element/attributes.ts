/** What a demo's attributes say, as values; nothing here touches the page. */
import { isJsonObject, type JsonObject } from "../page-parts/json.ts";

/** Each attribute with the property that mirrors it. */
export const ATTRIBUTE_OF = {
  tool: "tool",
  arguments: "arguments",
  src: "src",
  integrity: "integrity",
  npm: "npm",
  github: "github",
  mountPath: "mount-path",
  config: "config",
  maxOutputBytes: "max-output-bytes",
  loading: "loading",
  readonly: "readonly",
  files: "files",
  label: "label",
  theme: "theme",
  assets: "assets",
} as const;

/** The name of an attribute. */
export type AttributeName = (typeof ATTRIBUTE_OF)[keyof typeof ATTRIBUTE_OF];

/** Returns what an attribute says; null where it is missing. */
export type ReadAttribute = (name: AttributeName) => string | null;

export const LOADINGS = ["click", "visible", "eager"] as const;
export const FILES_CHOICES = ["closed", "open", "none"] as const;
export const THEMES = ["auto", "light", "dark"] as const;

/** When a demo starts by itself; `click`: never. */
export type DemoLoading = (typeof LOADINGS)[number];
/** Whether the tree of files is offered, and whether it is open at first. */
export type DemoFiles = (typeof FILES_CHOICES)[number];
/** `auto` follows the page's `color-scheme`. */
export type DemoTheme = (typeof THEMES)[number];

export const DEFAULT_MOUNT_PATH = "/repo";

/** Why something cannot be done, as a sentence for the author of the page or its reader. */
export class Problem {
  readonly sentence: string;

  constructor(sentence: string) {
    this.sentence = sentence;
  }
}

/** Returns the choice that an attribute names, as HTML does: anything else is the first one. */
export function readChoice<Choice extends string>(
  choices: readonly [Choice, ...Choice[]],
  text: string | null,
): Choice {
  const asked = text?.trim().toLowerCase();
  return choices.find((choice) => choice === asked) ?? choices[0];
}

/** Returns the arguments that a text spells. */
export function parseArguments(text: string): JsonObject | Problem {
  return parseObject(
    text,
    (fault) => `The arguments ${fault}; write one JSON object, such as {"path": "/repo"}.`,
  );
}

/** Returns a configuration; none is an empty one. */
export function parseConfig(text: string | null): JsonObject | Problem {
  return text === null || text.trim() === ""
    ? {}
    : parseObject(
        text,
        (fault) =>
          `The attribute config ${fault}; write one JSON object, such as {"tools": {"offered": ["LS"]}}.`,
      );
}

/** Returns the budget of an answer in bytes; undefined leaves it to the configuration. */
export function parseMaxOutputBytes(text: string | null): number | undefined | Problem {
  if (text === null || text.trim() === "") {
    return undefined;
  }
  const bytes = Number(text);
  return Number.isSafeInteger(bytes) && bytes > 0
    ? bytes
    : new Problem(
        `The attribute max-output-bytes is ${JSON.stringify(text)}; write a whole number of bytes above 0.`,
      );
}

/** Returns the text by which arguments are shown: one line where they fit into it. */
export function renderArguments(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  // Only what stands between values: a line feed inside a text is spelled \n.
  const line = text
    .replace(/\n */g, " ")
    .replace(/^([[{]) /, "$1")
    .replace(/ ([\]}])$/, "$1");
  return line.length <= MAX_LINE_CHARACTERS ? line : text;
}

const MAX_LINE_CHARACTERS = 72;

function parseObject(text: string, word: (fault: string) => string): JsonObject | Problem {
  if (text.trim() === "") {
    return new Problem(word("cannot be empty"));
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return new Problem(word("cannot be read as JSON"));
  }
  return isJsonObject(value)
    ? value
    : new Problem(word(`cannot be ${Array.isArray(value) ? "a list" : "a bare value"}`));
}
