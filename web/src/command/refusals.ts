/** Why a subcommand does not run; each message is a clause without a full stop. */

/** Arguments that no subcommand takes. */
export class WrongUsage extends Error {}

/** A folder, a file or a library that the subcommand needs is missing or unusable. */
export class CannotStart extends Error {}
