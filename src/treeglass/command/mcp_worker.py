"""The process that runs the calls of `treeglass mcp`, one thread for each.

It reads a line of JSON for each call and for each cancellation, and writes one for each call
that has ended. What calls propose to change goes along, so that another process can take it over.
Its parent ends it if a call does not end in time, so no call has to be trusted.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import signal
import sys
import threading
from collections.abc import Sequence
from typing import Any, BinaryIO

from treeglass.command.call import approved_by_caller, result_as_json
from treeglass.command.options import add_workspace, config_of, workspace_of
from treeglass.command.patch_file import PatchFile, add_patch, begun_patch_file_of
from treeglass.command.terminal import tell
from treeglass.errors import PackFailed
from treeglass.registry import ToolRegistry


def work(arguments: Sequence[str]) -> None:
    """Run calls until stdin ends, and then end the process, whatever still runs."""
    # The parent decides when it ends: Ctrl-C at a terminal reaches both.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parser = argparse.ArgumentParser()
    add_workspace(parser)
    add_patch(parser)
    options = parser.parse_args(arguments)
    workspace = workspace_of(options)
    registry = ToolRegistry(workspace, config_of(options), approve=approved_by_caller)
    worker = _Worker(registry, begun_patch_file_of(options, workspace), sys.stdout.buffer)
    worker.write({"is_ready": True})
    for line in sys.stdin.buffer:
        worker.take(json.loads(line))
    os._exit(0)


class _Worker:
    def __init__(
        self, registry: ToolRegistry, patch_file: PatchFile | None, output: BinaryIO
    ) -> None:
        self._registry = registry
        self._patch_file = patch_file
        self._version = 0
        self._output = output
        self._writing = threading.RLock()
        self._cancelled: dict[int, threading.Event] = {}

    def write(self, message: dict[str, Any]) -> None:
        line = json.dumps(message).encode() + b"\n"
        with self._writing:
            self._output.write(line)
            self._output.flush()

    def write_patch(self) -> None:
        """Write the patch; a person is told if that fails, and the next call tries again."""
        try:
            if self._patch_file is not None:
                self._patch_file.write()
        except PackFailed as error:
            tell(str(error))

    def _new_state(self) -> dict[str, str]:
        """Return what the parent keeps for another process, if it changed; write the patch."""
        overlay = self._registry.workspace.overlay_if_any
        if overlay is None or overlay.version == self._version:
            self.write_patch()
            return {}
        self._version = overlay.version
        self.write_patch()
        return {"state": base64.b64encode(overlay.save_state()).decode("ascii")}

    def take(self, message: dict[str, Any]) -> None:
        if "state" in message:
            self._registry.workspace.overlay.restore_state(base64.b64decode(message["state"]))
            return
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
            answer = result_as_json(result)
        finally:
            del self._cancelled[number]
            with self._writing:
                self.write({"number": number, "answer": answer, **self._new_state()})
            if result is not None and result.ran_out_of_memory:
                # Nothing else frees what it took. Another process begins the other calls anew.
                os._exit(1)
