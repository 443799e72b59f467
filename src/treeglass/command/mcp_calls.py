"""The calls of `treeglass mcp`, in a process that is replaced if one of them does not end."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import anyio
from anyio.abc import Process  # noqa: TC002  # beside the others of anyio

from treeglass.errors import CallTimedOut, InternalFault, TreeglassError

if TYPE_CHECKING:
    from anyio.abc import TaskGroup
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

GRACE_SECONDS = 0.8
"""The time that a call may run beyond its limit, and after it was cancelled."""

MAX_ATTEMPTS = 3
"""The number of attempts for a call, if the process that it shares with others ends."""

_START = (
    "import os, sys; sys.path[:] = sys.argv.pop(1).split(os.pathsep); "
    "from treeglass.command.mcp_worker import work; work(sys.argv[1:])"
)
_processes: set[Process] = set()


@dataclass(slots=True, eq=False)
class _Call:
    """A call that has no answer yet."""

    number: int
    name: str
    arguments: str
    deadline: float = math.inf
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    """Waits for the end of the call, up to its deadline."""
    attempts: int = 0
    ended: anyio.Event = field(default_factory=anyio.Event)
    answer: dict[str, Any] | None = None
    failure: TreeglassError = field(default_factory=InternalFault)
    """Why there is no answer, where there is no answer."""

    def may_run_until(self, deadline: float) -> None:
        self.deadline = self.scope.deadline = deadline

    def end(self, answer: dict[str, Any] | None) -> None:
        self.answer = answer
        self.ended.set()


class Calls:
    """Runs calls in one process, each in a thread there.

    A call that does not end in time is given up, and the process with it. The other calls of that
    process begin again in another one, on the tree that the answered calls have left.
    """

    def __init__(self, arguments: Sequence[str], limit_seconds: float, tasks: TaskGroup) -> None:
        # As this process found the modules, and not as a folder it happens to be in has them.
        path = os.pathsep.join(sys.path)
        self._command = [sys.executable, "-P", "-c", _START, path, *arguments]
        self._limit_seconds = limit_seconds
        self._tasks = tasks
        self._waiting: dict[int, _Call] = {}
        self._running: set[int] = set()
        """The numbers of the calls that the process has, also cancelled ones."""
        self._count = 0
        self._to_process: MemoryObjectSendStream[dict[str, Any]] | None = None
        self._generation = anyio.CancelScope()
        self._state: str | None = None
        """The changes that the calls proposed, for the next process."""

    async def call(self, name: str, arguments: str) -> dict[str, Any]:
        """Return the answer of a call; its process may end, or its time: then this raises."""
        self._count += 1
        call = _Call(self._count, name, arguments)
        self._waiting[call.number] = call
        self._begin(call)
        try:
            await self._end_of(call)
        except anyio.get_cancelled_exc_class():
            self._cancel(call)
            raise
        finally:
            self._waiting.pop(call.number, None)
        if call.answer is None:
            raise call.failure
        return call.answer

    async def _end_of(self, call: _Call) -> None:
        while not call.ended.is_set():
            with anyio.CancelScope(deadline=call.deadline) as call.scope:
                await call.ended.wait()
            # Another process may have begun it anew meanwhile.
            if not call.ended.is_set() and anyio.current_time() >= call.deadline:
                self._give_up()

    def _give_up(self) -> None:
        """Replace the process, and answer every call whose time is over."""
        for call in list(self._waiting.values()):
            if anyio.current_time() >= call.deadline:
                call.failure = CallTimedOut(self._limit_seconds)
                del self._waiting[call.number]
                call.end(None)
        self._generation.cancel()

    def _begin(self, call: _Call) -> None:
        if self._to_process is None:
            return  # begun when the process is ready
        self._running.add(call.number)
        call.may_run_until(anyio.current_time() + self._limit_seconds + GRACE_SECONDS)
        message = {"number": call.number, "name": call.name, "arguments": call.arguments}
        self._to_process.send_nowait(message)

    def _cancel(self, call: _Call) -> None:
        if call.number in self._running and self._to_process is not None:
            self._to_process.send_nowait({"number": call.number})
            self._tasks.start_soon(self._watch, call.number)

    async def _watch(self, number: int) -> None:
        await anyio.sleep(GRACE_SECONDS)
        if number in self._running:
            self._generation.cancel()

    async def run(self) -> None:
        """Keep a process, until the task is cancelled."""
        while True:
            with anyio.CancelScope() as self._generation:
                await self._run_process()
            self._to_process = None
            self._running.clear()
            if not self._generation.cancel_called:
                # It ended by itself: perhaps one of its calls took all memory.
                for call in list(self._waiting.values()):
                    call.attempts += 1
                    if call.attempts >= MAX_ATTEMPTS:
                        del self._waiting[call.number]
                        call.end(None)
            for call in self._waiting.values():
                call.may_run_until(math.inf)

    async def _run_process(self) -> None:
        process = await anyio.open_process(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=None
        )
        _processes.add(process)
        send, receive = anyio.create_memory_object_stream[dict[str, Any]](math.inf)
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(_write, process, receive)
                await self._read(process, send)
                tasks.cancel_scope.cancel()
        finally:
            process.kill() if process.returncode is None else None
            with anyio.CancelScope(shield=True):
                await process.aclose()
            _processes.discard(process)

    async def _read(self, process: Process, send: MemoryObjectSendStream[dict[str, Any]]) -> None:
        assert process.stdout is not None  # noqa: S101  # it is a pipe
        rest = b""
        async for piece in process.stdout:
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                message = json.loads(line)
                if "is_ready" in message:
                    self._to_process = send
                    if self._state is not None:
                        send.send_nowait({"state": self._state})
                    for call in list(self._waiting.values()):
                        self._begin(call)
                    continue
                self._state = message.get("state", self._state)
                self._running.discard(message["number"])
                if ended := self._waiting.get(message["number"]):
                    ended.end(message["answer"])


async def _write(process: Process, messages: MemoryObjectReceiveStream[dict[str, Any]]) -> None:
    assert process.stdin is not None  # noqa: S101  # it is a pipe
    try:
        async for message in messages:
            await process.stdin.send(json.dumps(message).encode() + b"\n")
    except (anyio.BrokenResourceError, anyio.ClosedResourceError):
        return  # the end of its output tells the same


def kill_processes() -> None:
    """End every process that runs calls, at once."""
    for process in _processes:
        if process.returncode is None:
            process.kill()
