/** Checks the options of each public function against one table of rules. */

import { isAddress, isCount, isRecord, isStringList, isStringRecord } from "../lib/checks.ts";
import { reasonOf } from "../lib/report-error.ts";
import { TreeglassError } from "./errors.ts";
import { cannotBeSent } from "./refusals.ts";

/** Throws for a value that an option does not take. */
export type OptionRule = (value: unknown, option: string) => void;

export type OptionRules<Options extends object> = {
  readonly [Name in keyof Required<Options>]: OptionRule;
};

/** Returns a rule; `says` ends the sentence "The option x is". */
export function rule(says: string, accepts: (value: unknown) => boolean): OptionRule {
  return (value, option) => {
    if (!accepts(value)) {
      throw new TreeglassError("BadRequest", `The option ${option} is ${says}.`);
    }
  };
}

export const BOOLEAN = rule("true or false", (value) => typeof value === "boolean");
export const FUNCTION = rule("a function", (value) => typeof value === "function");
export const TEXT = rule("a text", (value) => typeof value === "string");
export const TEXTS = rule("a list of texts", isStringList);
export const TEXTS_BY_NAME = rule("an object whose values are texts", isStringRecord);
export const ADDRESS = rule("a text or a URL", isAddress);
export const BYTES = rule("a whole number of bytes from 0 on", isCount);
export const DURATION_MS = rule(
  "a number of milliseconds above 0; Infinity sets no limit",
  (value) => typeof value === "number" && value > 0,
);
export const SIGNAL = rule(
  "an AbortSignal, such as the signal of an AbortController",
  (value) => isRecord(value) && typeof value.throwIfAborted === "function",
);
/** Throws `WorkspaceInvalid`. */
export const VIRTUAL_PATH: OptionRule = (value, option) => {
  requireAbsolute(option, value);
};

/**
 * Returns a copy of the options that are set; reads each option once.
 *
 * Throws `BadRequest` for an unknown option, which it names, and for options that cannot be read;
 * otherwise a misspelled `skip` or `deny` would silently allow everything.
 */
export function checkedOptions<Options extends object>(
  what: string,
  options: Options,
  rules: OptionRules<Options>,
): Options {
  const given: unknown = options;
  const known = Object.keys(rules).sort();
  const list = known.length === 0 ? "it has none" : `the known ones are ${known.join(", ")}`;
  if (!isRecord(given)) {
    throw new TreeglassError("BadRequest", `${what} takes its options as an object; ${list}.`);
  }
  return readValue(`The options of ${what}`, () => {
    const unknown = Object.keys(given).find((name) => !Object.hasOwn(rules, name));
    if (unknown !== undefined) {
      throw new TreeglassError("BadRequest", `${what} has no option ${unknown}; ${list}.`);
    }
    const checked: Record<string, unknown> = {};
    for (const [name, check] of Object.entries<OptionRule>(rules)) {
      const value = given[name];
      if (value !== undefined) {
        check(value, name);
        checked[name] = value;
      }
    }
    // The compiler does not see that the names and the values are those of the options.
    return checked as Options;
  });
}

/** Returns what `read` returns; throws `BadRequest` for an error of the page's getter or proxy. */
export function readValue<Value>(what: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof TreeglassError) {
      throw cause;
    }
    throw new TreeglassError("BadRequest", `${what} cannot be read: ${reasonOf(cause)}`, { cause });
  }
}

/** Returns a copy that the page cannot change; throws `BadRequest` if it cannot be sent. */
export function copyOf<Value>(value: Value): Value {
  try {
    return structuredClone(value);
  } catch (cause) {
    throw cannotBeSent(cause);
  }
}

/** Throws `BadRequest` for an argument that is no text. */
export function requireText(what: string, value: unknown): void {
  if (typeof value !== "string") {
    throw new TreeglassError("BadRequest", `The ${what} is a text.`);
  }
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Returns an absolute path without `.`, `..` and NUL.
 *
 * Throws `WorkspaceInvalid`, which gives `name`, for any other value.
 */
export function requireAbsolute(name: string, path: unknown): string {
  if (typeof path !== "string" || !path.startsWith("/") || LONE_SURROGATE.test(path)) {
    throw invalid(name, path, "is not absolute");
  }
  if (path.includes("\0")) {
    throw invalid(name, path, "holds a NUL");
  }
  const dots = path.split("/").find((part) => part === "." || part === "..");
  if (dots !== undefined) {
    throw invalid(name, path, `holds '${dots}'`);
  }
  return path;
}

function invalid(name: string, path: unknown, fault: string): TreeglassError {
  return new TreeglassError(
    "WorkspaceInvalid",
    `The ${name} ${JSON.stringify(path)} ${fault}; use a path such as '/repo'.`,
  );
}
