/** Arguments that no subcommand takes; the message is a clause without a full stop. */
export class WrongUsage extends Error {}
