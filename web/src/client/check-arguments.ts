/** Checks the arguments of the client's methods. */
import { TreeglassError } from "../protocol/errors.ts";
import { reasonOf } from "../protocol/options.ts";
import { requireAbsolute } from "../protocol/virtual-paths.ts";

/** Returns an absolute path in its shortest spelling; throws `WorkspaceInvalid` for any other value. */
export function toMountPath(path: unknown): string {
  const names = requireAbsolute("mount path", path).split("/");
  return `/${names.filter(Boolean).join("/")}`;
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
  let text: string | undefined;
  try {
    text = JSON.stringify(args);
  } catch (cause) {
    const message = `The arguments cannot be JSON: ${reasonOf(cause)}`;
    throw new TreeglassError("BadRequest", message, { cause });
  }
  if (text === undefined) {
    throw new TreeglassError("BadRequest", "The arguments are an object, or its JSON text.");
  }
  return text;
}

const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Returns the text with U+FFFD for each lone surrogate, which Python would refuse. */
export function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, "\uFFFD");
}
