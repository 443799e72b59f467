"""`treeglass mcp`: the tools for agents on this machine, over stdin and stdout."""

from __future__ import annotations

import logging
import os
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NoReturn

from treeglass.command import FAILED, INTERRUPTED, OK
from treeglass.command.options import add_workspace, config_of, workspace_arguments, workspace_of
from treeglass.command.patch_file import add_patch, patch_file_of, require_patch
from treeglass.command.terminal import tell
from treeglass.config import DEFAULT_FAMILY
from treeglass.errors import WorkspaceInvalid
from treeglass.registry import ToolRegistry

if TYPE_CHECKING:
    import argparse

_RESULTS = ("text", "structured", "both")


def add_mcp_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `treeglass mcp` takes."""
    add_workspace(parser, DEFAULT_FAMILY)
    add_patch(parser)
    parser.description = (
        "Serve the offered tools to one MCP client over stdin and stdout, until stdin ends."
    )
    parser.add_argument(
        "--results",
        choices=_RESULTS,
        default="text",
        help="how to send an answer that is both text and data; default: text",
    )


def run_mcp(options: argparse.Namespace) -> int:
    """Serve until stdin ends, and return 0; `WorkspaceInvalid` says what to do to begin.

    A signal to stop ends the process with 130. An error that ends the session ends the process with
    1: in silence if the client has stopped reading, else after a message on stderr.
    """
    config = config_of(options).with_default_family()
    require_patch(options, config)
    workspace = workspace_of(options)
    patch_file_of(options, workspace)
    registry = ToolRegistry(workspace, config)
    # Before the library, whose import takes time.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: _leave(INTERRUPTED))
    for stream, name in ((sys.stdin, "stdin"), (sys.stdout, "stdout")):
        if stream is None:
            raise WorkspaceInvalid(
                f"{name} is closed: have an MCP client start this command, which keeps it open"
            )
    serve = _serve()
    # Without a handler, Python prints what a library logs to stderr, and a client
    # shows that to its user as a fault of the server.
    logging.getLogger().addHandler(logging.NullHandler())
    if sys.stdin.isatty():
        tell("an MCP client starts this command; Ctrl-C ends it.")
    try:
        limit_seconds = config.tools.timeouts.file_operations_seconds
        serve(registry, options.results, workspace_arguments(options), limit_seconds)
    except* (BrokenPipeError, ConnectionResetError):
        pass  # the client has stopped reading
    except* OSError as failed:
        # Without the file's name, which is the host's.
        reason = _first(failed).strerror or "the system does not say why"
        tell(f"stdin or stdout failed, and the session with it: {reason}")
    except* Exception as unexpected:  # noqa: BLE001  # a bug, told in full
        traceback.print_exception(unexpected)
    else:
        return OK
    # The interpreter would wait for more input.
    return _leave(FAILED)


def _serve() -> Callable[[ToolRegistry, str, Sequence[str], float], None]:
    try:
        from treeglass.command.mcp_server import serve  # noqa: PLC0415  # the library is an extra
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in {"anyio", "mcp", "mcp_types"}:
            raise
        raise WorkspaceInvalid(
            "to serve MCP takes the package mcp from 2.3 on and below 3: install treeglass[mcp]"
        ) from None
    return serve


def _first(group: ExceptionGroup[OSError]) -> OSError:
    first = group.exceptions[0]
    return _first(first) if isinstance(first, ExceptionGroup) else first


def _leave(code: int) -> NoReturn:
    calls = sys.modules.get("treeglass.command.mcp_calls")
    if calls is not None:
        calls.kill_processes()
    # Without waiting for threads: one may read stdin, which need not end, and
    # nothing is left to write.
    os._exit(code)
