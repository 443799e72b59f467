/** Checks the arguments of the client's methods. */
import { isCount, isRecord, isStringList } from "../lib/checks.ts";
import { TreeglassError } from "../protocol/errors.ts";
import type { CallToolParams } from "../protocol/methods.ts";
import { LIMIT_NAMES } from "../protocol/mount-report.ts";
import { requireAbsolute } from "../protocol/virtual-paths.ts";

/** Returns an absolute path in its shortest spelling; throws `WorkspaceInvalid` for any other value. */
export function toMountPath(path: unknown): string {
  const names = requireAbsolute("mount path", path).split("/");
  return `/${names.filter(Boolean).join("/")}`;
}

const KNOWN_LIMITS = `the known ones are ${LIMIT_NAMES.join(", ")}`;

/** Throws `BadRequest` unless the value is an object of known limits. */
export function requireLimits(limits: unknown): void {
  if (!isRecord(limits)) {
    throw new TreeglassError("BadRequest", `The limits of a mount are an object; ${KNOWN_LIMITS}.`);
  }
  for (const [name, limit] of Object.entries(limits)) {
    if (!LIMIT_NAMES.includes(name)) {
      throw new TreeglassError("BadRequest", `A mount has no limit ${name}; ${KNOWN_LIMITS}.`);
    }
    if (!isCount(limit)) {
      throw new TreeglassError("BadRequest", `The limit ${name} is a whole number from 0 on.`);
    }
  }
}

/** Throws `BadRequest` unless the value is a list of names and globs. */
export function requireSkip(skip: unknown): void {
  if (!isStringList(skip)) {
    throw new TreeglassError("BadRequest", "The skip option is a list of names and globs.");
  }
}

/** Throws `BadRequest` unless the value is true or false. */
export function requireBoolean(option: string, value: unknown): void {
  if (typeof value !== "boolean") {
    throw new TreeglassError("BadRequest", `The option ${option} is true or false.`);
  }
}

/** Returns the options that are set; throws `BadRequest` for an unknown option or a bad value. */
export function checkedOptions(options: object): Partial<CallToolParams> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [option, value] of given) {
    switch (option) {
      case "workingDir":
        requireAbsolute(option, value);
        break;
      case "nullsAreAbsent":
        requireBoolean(option, value);
        break;
      case "maxOutputBytes":
      case "availableCapacityBytes":
        if (!isCount(value)) {
          throw new TreeglassError("BadRequest", `${option} is a whole number of bytes from 0 on.`);
        }
        break;
      default:
        throw new TreeglassError("BadRequest", `callTool has no option ${option}.`);
    }
  }
  return Object.fromEntries(given);
}

/**
 * Returns the arguments as JSON text that any reader accepts.
 *
 * A lone surrogate is escaped, so that the tool refuses it in its own words.
 */
export function toArgumentsText(args: object | string): string {
  if (typeof args === "string") {
    return args.replace(
      LONE_SURROGATE,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
  }
  try {
    return JSON.stringify(args);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TreeglassError("BadRequest", `The arguments cannot be JSON: ${reason}`, { cause });
  }
}

const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Returns the text with U+FFFD for each lone surrogate, which Python would refuse. */
export function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, "\uFFFD");
}
