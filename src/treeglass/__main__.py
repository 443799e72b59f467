"""The command line: `treeglass tools`, `call`, `batch`, `mcp`, `pack` and `record`.

Exit codes: 0 for a result; 1 for a tool's own error (its content is printed all
the same), for a tree that cannot be packed, for a page that is stale or broken,
and for an output that cannot be written; 2 for wrong usage. If nothing is
printed, stderr has a sentence that says why. A terminal gets text made safe for
it; a pipe gets the exact bytes and one line feed.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from treeglass import __version__
from treeglass.authoring.record_command import add_record_arguments, run_record
from treeglass.command import FAILED, INTERRUPTED, OK, USAGE
from treeglass.command.batch import run_batch
from treeglass.command.call import add_call_arguments, run_call
from treeglass.command.mcp import add_mcp_arguments, run_mcp
from treeglass.command.options import add_workspace
from treeglass.command.pack import add_pack_arguments, run_pack
from treeglass.command.terminal import tell
from treeglass.command.tools import add_tools_arguments, run_tools
from treeglass.errors import ConfigInvalid, PackFailed, WorkspaceInvalid

if TYPE_CHECKING:
    from _typeshed import SupportsWrite


class _Command(NamedTuple):
    name: str
    help: str
    examples: tuple[str, ...]
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


_COMMANDS = (
    _Command(
        "tools",
        "print the definitions of the offered tools",
        ("treeglass tools --format anthropic",),
        add_tools_arguments,
        run_tools,
    ),
    _Command(
        "call",
        "answer one tool call",
        (
            """treeglass call list_dir '{"dir_path": "/repo"}' --mount /repo=.""",
            'treeglass call read_file "@arguments.json" --mount /repo=.',
        ),
        add_call_arguments,
        run_call,
    ),
    _Command(
        "batch",
        "answer calls from stdin, one JSON object a line, in one process",
        ("treeglass batch --mount /repo=. < calls.jsonl",),
        add_workspace,
        run_batch,
    ),
    _Command(
        "mcp",
        "serve the tools to an MCP client over stdin and stdout",
        ("treeglass mcp --mount /repo=.",),
        add_mcp_arguments,
        run_mcp,
    ),
    _Command(
        "pack",
        "make an archive or a manifest of a directory",
        (
            "treeglass pack src -o src.zip",
            "treeglass pack src -o tree.json --base-url https://example.org/src/",
        ),
        add_pack_arguments,
        run_pack,
    ),
    _Command(
        "record",
        "write the answers of demos into their pages",
        ("treeglass record docs/index.html", "treeglass record --check docs/*.html"),
        add_record_arguments,
        run_record,
    ),
)


class _Parser(argparse.ArgumentParser):
    """A parser whose help ends with examples, and fails if it cannot be written."""

    examples: Sequence[str] = ()

    def format_help(self) -> str:
        return "\n  ".join((f"{super().format_help()}\nexamples:", *self.examples)) + "\n"

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        # argparse's own would ignore that a disk is full.
        (file or sys.stdout).write(self.format_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    try:
        code = _run(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
    except PackFailed as error:
        tell(str(error))
        return FAILED
    except (ConfigInvalid, WorkspaceInvalid) as error:
        tell(str(error))
        return USAGE
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        if not isinstance(error, BrokenPipeError):
            what = "stdin or stdout" if error.filename is None else repr(error.filename)
            tell(f"{what} cannot be read or written: {error.strerror}")
        # What could not be written is forgotten: Python would complain when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    return code


def _run(arguments: Sequence[str] | None) -> int:
    parser = _parser()
    try:
        options = parser.parse_args(arguments)
    except SystemExit as left:
        # Help was printed, or the arguments are wrong.
        return OK if left.code is None else int(left.code)
    if options.version:
        sys.stdout.write(f"treeglass {__version__}\n")
        return OK
    run: Callable[[argparse.Namespace], int] | None = options.run
    if run is None:
        parser.print_help()
        return OK
    return run(options)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="treeglass",
        description="Filesystem tools for an LLM agent: they read mounted directories, and propose "
        "changes that no mount receives.",
    )
    parser.examples = [command.examples[0] for command in _COMMANDS]
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    parser.set_defaults(run=None)
    subparsers = parser.add_subparsers(metavar="COMMAND", parser_class=_Parser)
    for command in _COMMANDS:
        subparser = subparsers.add_parser(command.name, help=command.help)
        subparser.examples = command.examples
        command.add_arguments(subparser)
        subparser.set_defaults(run=command.run)
    return parser


if __name__ == "__main__":
    sys.exit(main())
