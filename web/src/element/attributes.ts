/** Parses a demo's attributes; does not touch the page. */
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

/** Returns the value of an attribute; null if it is missing. */
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

/** An error with a sentence for the page's author or reader. */
export class Problem {
  readonly sentence: string;

  constructor(sentence: string) {
    this.sentence = sentence;
  }
}

/** Returns the choice that an attribute names; as in HTML, any other value means the first one. */
export function readChoice<Choice extends string>(
  choices: readonly [Choice, ...Choice[]],
  text: string | null,
): Choice {
  const asked = text?.trim().toLowerCase();
  return choices.find((choice) => choice === asked) ?? choices[0];
}

/** Returns the name of a tool's path argument. */
export function pathArgumentOf(tool: string): string {
  return PATH_ARGUMENTS.get(tool.trim()) ?? "path";
}

const PATH_ARGUMENTS: ReadonlyMap<string, string> = new Map([
  ["list_dir", "dir_path"],
  ["read_file", "file_path"],
]);

/** Parses the arguments of a tool. */
export function parseArguments(text: string, tool: string): JsonObject | Problem {
  const name = pathArgumentOf(tool);
  const path = name === "file_path" ? "/repo/README.md" : "/repo";
  return parseObject(
    text,
    (fault) => `The arguments ${fault}; write one JSON object, such as {"${name}": "${path}"}.`,
  );
}

/** The tools for the files panel that a configuration offers. */
export interface FileTools {
  /** `LS` is offered. */
  readonly canList: boolean;
  /** `read_file` is offered. */
  readonly canRead: boolean;
}

/** Returns the tools that a configuration offers for files; a broken one offers all. */
export function readFileTools(config: string | null): FileTools {
  const parsed = parseConfig(config);
  const tools = parsed instanceof Problem ? null : parsed.tools;
  if (!isJsonObject(tools)) {
    return { canList: true, canRead: true };
  }
  const isOn = tools.mode === undefined || tools.mode === "enabled";
  const has = (offered: unknown, tool: string) =>
    isOn && (!Array.isArray(offered) || offered.includes(tool));
  return {
    canList: has(tools.offered, "LS"),
    canRead: has(tools.experimental_supported_tools, "read_file"),
  };
}

/** Returns a configuration; an empty one if the attribute is missing. */
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

/** Returns the arguments as text, in one line if they fit. */
export function renderArguments(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  // Only white space between values: a line feed inside a text is written as \n.
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
