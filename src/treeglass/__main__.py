"""The command line: `treeglass tools`, `call`, `batch`, `mcp`, `pack` and `record`.

Exit codes: 0 for a result; 1 for a tool's own error (its content is printed all
the same), for a tree that cannot be packed, and for a page that is stale or
broken; 2 for wrong usage. If nothing is printed, stderr has a sentence that
says why. A terminal gets text made safe for it; a pipe gets the exact bytes and
one line feed.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, NamedTuple

from treeglass.authoring.record_command import add_record_arguments, run_record
from treeglass.command import FAILED, INTERRUPTED, USAGE
from treeglass.command.batch import add_batch_arguments, run_batch
from treeglass.command.call import add_call_arguments, run_call
from treeglass.command.mcp import add_mcp_arguments, run_mcp
from treeglass.command.pack import add_pack_arguments, run_pack
from treeglass.command.tools import add_tools_arguments, run_tools
from treeglass.errors import ConfigInvalid, PackFailed, WorkspaceInvalid

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class _Command(NamedTuple):
    name: str
    help: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


_COMMANDS = (
    _Command("tools", "print the definitions of the offered tools", add_tools_arguments, run_tools),
    _Command("call", "answer one tool call", add_call_arguments, run_call),
    _Command(
        "batch",
        "answer calls from stdin, one JSON object a line, in one process",
        add_batch_arguments,
        run_batch,
    ),
    _Command(
        "mcp",
        "serve the tools to an MCP client over stdin and stdout",
        add_mcp_arguments,
        run_mcp,
    ),
    _Command("pack", "make an archive or a manifest of a directory", add_pack_arguments, run_pack),
    _Command(
        "record", "write the answers of demos into their pages", add_record_arguments, run_record
    ),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    options = _parser().parse_args(arguments)
    try:
        run: Callable[[argparse.Namespace], int] = options.run
        return run(options)
    except PackFailed as error:
        sys.stderr.write(f"treeglass: {error}\n")
        return FAILED
    except BrokenPipeError:
        # The reader has gone, `| head` for example; Python would complain once
        # more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except (ConfigInvalid, WorkspaceInvalid, OSError) as error:
        sys.stderr.write(f"treeglass: {error}\n")
        return USAGE
    except KeyboardInterrupt:
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="treeglass", description="Read-only filesystem tools for an LLM agent."
    )
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in _COMMANDS:
        subparser = subparsers.add_parser(command.name, help=command.help)
        command.add_arguments(subparser)
        subparser.set_defaults(run=command.run)
    return parser


if __name__ == "__main__":
    sys.exit(main())
