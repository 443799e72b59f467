#!/usr/bin/env node
/** `npx treeglass`: runs the subcommand that its first argument names. */
import { readFileSync } from "node:fs";
import { ASSETS_HELP, copyAssets } from "./assets.ts";
import { MCP_HELP, serveMcp } from "./mcp.ts";
import { CannotStart, WrongUsage } from "./refusals.ts";

interface Subcommand {
  readonly help: string;
  /** Runs with the arguments after its name, and returns the program's exit code. */
  readonly run: (args: readonly string[]) => number | Promise<number>;
}

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  assets: { help: ASSETS_HELP, run: copyAssets },
  mcp: { help: MCP_HELP, run: serveMcp },
};

const PYTHON_COMMANDS: readonly string[] = ["tools", "call", "batch", "pack", "record"];

const HELP = `usage: treeglass <command> [options]

Filesystem tools for an LLM agent: they read mounted folders, and propose changes that no
mount receives.

${ASSETS_HELP}

${MCP_HELP}

options:
  --help     print this text, or after a command that command's part of it
  --version  print the version of the package
`;

/** The exit code of a command that does not start, as of the Python package's command. */
const NOT_STARTED = 2;

function run([name, ...args]: readonly string[]): number | Promise<number> {
  if (name === undefined || isHelp(name)) {
    process.stdout.write(HELP);
    return 0;
  }
  if (name === "--version") {
    process.stdout.write(`treeglass ${version()}\n`);
    return 0;
  }
  const subcommand = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
  if (PYTHON_COMMANDS.includes(name)) {
    throw new WrongUsage(`${name} is in the Python package: uvx treeglass ${name}`);
  }
  if (subcommand === undefined) {
    const known = Object.keys(SUBCOMMANDS).join(", ");
    throw new WrongUsage(`the command ${name} is unknown; the commands are: ${known}`);
  }
  if (args.some(isHelp)) {
    process.stdout.write(`usage:\n${subcommand.help}\n`);
    return 0;
  }
  return subcommand.run(args);
}

function isHelp(argument: string): boolean {
  return argument === "--help" || argument === "-h";
}

function version(): unknown {
  return JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8")).version;
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof WrongUsage || error instanceof CannotStart)) {
    throw error;
  }
  const advice = error instanceof WrongUsage ? "; treeglass --help prints the usage" : "";
  process.stderr.write(`treeglass: ${error.message}${advice}\n`);
  process.exitCode = NOT_STARTED;
}
