/** Parses the attributes of a demo into values, without access to the page. */
import { isJsonObject, type JsonObject } from "../ui/json.ts";

/** Each property with the attribute that it mirrors. */
export const ATTRIBUTE_OF = {
  tool: "tool",
  arguments: "arguments",
  source: "source",
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
  view: "view",
  form: "form",
  playground: "playground",
  label: "label",
  theme: "theme",
  assets: "assets",
} as const;

export type AttributeName = (typeof ATTRIBUTE_OF)[keyof typeof ATTRIBUTE_OF];

export type ReadAttribute = (name: AttributeName) => string | null;

export const LOADINGS = ["click", "visible", "eager"] as const;
export const FILES_CHOICES = ["closed", "open", "none"] as const;
export const VIEWS = ["reading", "model"] as const;
export const THEMES = ["auto", "light", "dark"] as const;

/** When a demo starts without a click; `click`: never. */
export type DemoLoading = (typeof LOADINGS)[number];
/** The panel of files: open or closed at first, or left out. */
export type DemoFiles = (typeof FILES_CHOICES)[number];
/** An answer for a reader, or exactly as the model reads it. */
export type DemoAnswerView = (typeof VIEWS)[number];
/** `auto` follows the page's `color-scheme`. */
export type DemoTheme = (typeof THEMES)[number];

export const DEFAULT_MOUNT_PATH = "/repo";

/** Why a demo cannot do what was asked, as a sentence for the page's author or reader. */
export class Problem {
  readonly sentence: string;

  constructor(sentence: string) {
    this.sentence = sentence;
  }
}

/** Returns the choice that an attribute names; as in HTML, any other text means the first one. */
export function readChoice<Choice extends string>(
  choices: readonly [Choice, ...Choice[]],
  text: string | null,
): Choice {
  const asked = text?.trim().toLowerCase();
  return choices.find((choice) => choice === asked) ?? choices[0];
}

/**
 * Attributes that are no property: HTML's own, those of linked data, and, with any other sign than
 * a letter, a framework's.
 */
const OTHERS =
  /[^a-z]|^(class|is|exportparts|xmlns|autocorrect|writingsuggestions|item[a-z]+|about|content|datatype|prefix|property|re[lv]|resource|typeof|vocab)$/;

/**
 * Returns what is wrong with the names of an element's attributes; null if all are known.
 *
 * `properties` are those of any element: HTML's own attributes, in other letter case.
 */
export function checkNames(
  names: readonly string[],
  properties: readonly string[],
): Problem | null {
  const known: readonly string[] = Object.values(ATTRIBUTE_OF);
  const ofHtml = properties.map((name) => name.toLowerCase());
  const unknown = names.find(
    (name) =>
      !known.includes(name) &&
      (/^m(ax|ount)[-_]/.test(name) || !(OTHERS.test(name) || ofHtml.includes(name))),
  );
  return unknown === undefined
    ? null
    : new Problem(
        `The attribute ${unknown} is unknown; a demo has ${known.join(", ")}. Begin a name of your own with data-.`,
      );
}

export function pathArgumentOf(tool: string): string {
  return PATH_ARGUMENTS.get(tool.trim()) ?? "path";
}

const PATH_ARGUMENTS: ReadonlyMap<string, string> = new Map([
  ["list_dir", "dir_path"],
  ["read_file", "file_path"],
]);

/** Returns the arguments that a text spells as JSON, or what is wrong with the text. */
export function parseArguments(text: string, tool: string): JsonObject | Problem {
  const name = pathArgumentOf(tool);
  const path = name === "file_path" ? "/repo/README.md" : "/repo";
  return parseObject(
    text,
    (fault) => `The arguments ${fault}; write one JSON object, such as {"${name}": "${path}"}.`,
  );
}

/** The parts of the files panel that work with the tools that a configuration offers. */
export interface FileTools {
  readonly canList: boolean;
  readonly canRead: boolean;
}

/** Returns which of `LS` and `read_file` a configuration offers; both if it cannot be parsed. */
export function readFileTools(config: string | null): FileTools {
  const parsed = parseConfig(config);
  const tools = parsed instanceof Problem ? null : parsed.tools;
  if (!isJsonObject(tools)) {
    return { canList: true, canRead: true };
  }
  const isOn = tools.mode === undefined || tools.mode === "enabled";
  const renamed = isJsonObject(tools.names) ? tools.names : {};
  // A tool with another name is not called: the names of this element's calls are fixed.
  const has = (offered: unknown, family: string, tool: string) => {
    const spellings = [tool, `${family}.${tool}`];
    return (
      isOn &&
      !spellings.some((spelling) => spelling in renamed) &&
      (!Array.isArray(offered) || spellings.some((spelling) => offered.includes(spelling)))
    );
  };
  return {
    canList: has(tools.offered, "envelope", "LS"),
    canRead: has(tools.experimental_supported_tools, "codex", "read_file"),
  };
}

/** Returns a configuration; a missing or blank text is an empty one. */
export function parseConfig(text: string | null): JsonObject | Problem {
  return text === null || text.trim() === ""
    ? {}
    : parseObject(
        text,
        (fault) =>
          `The attribute config ${fault}; write one JSON object, such as {"tools": {"offered": ["LS"]}}.`,
      );
}

/** Returns the most bytes that an answer may have; undefined uses the configuration's limit. */
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

/** Returns arguments as JSON text: on one line if they fit within 72 characters. */
export function renderArguments(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  // Matches only line feeds between values: JSON spells a line feed inside a string as \n.
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
