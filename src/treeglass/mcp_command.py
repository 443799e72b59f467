"""`treeglass mcp`: the tools for agents on this machine, over stdin and stdout.

The library of MCP is an extra of the wheel, and imported when a server starts.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from typing import TYPE_CHECKING

from treeglass.errors import WorkspaceInvalid

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from treeglass.registry import ToolRegistry

_RESULTS = ("text", "structured", "both")
_INTERRUPTED = 130


def add_mcp_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `treeglass mcp` takes beside a workspace."""
    parser.description = (
        "Serve the offered tools to one MCP client over stdin and stdout, until stdin ends."
    )
    parser.add_argument(
        "--results",
        choices=_RESULTS,
        default="text",
        help="as what an answer is sent that is both text and data; default: text",
    )


def run_mcp(options: argparse.Namespace, registry: ToolRegistry) -> int:
    """Serve until stdin ends, and return 0; a signal to stop ends the process with 130.

    Raises:
        WorkspaceInvalid: The library is missing; the text says what to install.
    """
    # Before the library, which takes its time to import.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: _leave(_INTERRUPTED))
    serve = _serve()
    # Python prints what a library logs to stderr where nobody listens, and a
    # client shows that to its user as a fault of the server.
    logging.getLogger().addHandler(logging.NullHandler())
    if sys.stdin.isatty():
        sys.stderr.write("treeglass: an MCP client starts this command; Ctrl-C ends it.\n")
    try:
        serve(registry, options.results)
    except* OSError:
        # The client reads no more. The interpreter would wait for more input,
        # and complain about what was not written.
        _leave(1)
    return 0


def _serve() -> Callable[[ToolRegistry, str], None]:
    try:
        from treeglass.mcp_server import serve  # noqa: PLC0415  # the library is an extra
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"anyio", "mcp", "mcp_types"}:
            raise
        raise WorkspaceInvalid(
            "to serve MCP takes the package mcp: install treeglass[mcp]"
        ) from None
    return serve


def _leave(code: int) -> None:
    # No thread is waited for: one may read stdin, which need not end, and there
    # is nothing to be written.
    os._exit(code)
