"""The process that runs the calls of `treeglass mcp`, one thread for each.

It reads a line of JSON for each call and for each cancellation, and writes one for each call
that has ended. Its parent ends it if a call does not end in time, so no call has to be trusted.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import threading
from typing import TYPE_CHECKING, Any

from treeglass.command.options import add_workspace, config_of, workspace_of
from treeglass.registry import ToolRegistry

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import BinaryIO


def work(arguments: Sequence[str]) -> None:
    """Run calls until stdin ends, and then end the process, whatever still runs.

    Args:
        arguments: The options of the workspace.
    """
    # The parent decides when it ends: Ctrl-C at a terminal reaches both.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parser = argparse.ArgumentParser()
    add_workspace(parser)
    options = parser.parse_args(arguments)
    worker = _Worker(ToolRegistry(workspace_of(options), config_of(options)), sys.stdout.buffer)
    worker.write({"is_ready": True})
    for line in sys.stdin.buffer:
        worker.take(json.loads(line))
    os._exit(0)


class _Worker:
    def __init__(self, registry: ToolRegistry, output: BinaryIO) -> None:
        self._registry = registry
        self._output = output
        self._writing = threading.Lock()
        self._cancelled: dict[int, threading.Event] = {}

    def write(self, message: dict[str, Any]) -> None:
        line = json.dumps(message).encode() + b"\n"
        with self._writing:
            self._output.write(line)
            self._output.flush()

    def take(self, message: dict[str, Any]) -> None:
        number = message["number"]
        if "name" not in message:
            if event := self._cancelled.get(number):
                event.set()
            return
        event = self._cancelled[number] = threading.Event()
        call = (number, message["name"], message["arguments"], event)
        threading.Thread(target=self._call, args=call, daemon=True).start()

    def _call(self, number: int, name: str, arguments: str, cancelled: threading.Event) -> None:
        answer, result = None, None
        try:
            result = self._registry.call_tool(name, arguments, is_cancelled=cancelled.is_set)
            answer = {
                "content": result.content,
                "structured": result.structured,
                "is_error": result.is_error,
            }
        finally:
            del self._cancelled[number]
            self.write({"number": number, "answer": answer})
            if result is not None and result.ran_out_of_memory:
                # Nothing else frees what it took. Another process begins the other calls anew.
                os._exit(1)
