/** Why a subcommand does not run; each message is a clause without a full stop. */
import { reasonOf } from "../lib/report-error.ts";

/** Arguments that no subcommand takes. */
export class WrongUsage extends Error {}

/** Returns why `parseArgs` threw: its first sentence, since the others advise on positional arguments. */
export function wrongUsage(error: unknown): WrongUsage {
  const [sentence = ""] = reasonOf(error).split(/\.(?:\s|$)/, 1);
  return new WrongUsage(sentence);
}

/** A folder, a file or a library that the subcommand needs is missing or unusable. */
export class CannotStart extends Error {}
