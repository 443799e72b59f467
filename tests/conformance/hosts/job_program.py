"""A program that answers a line of JSON by a line of JSON, and the end of one that fails."""

import json
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from tempfile import TemporaryFile
from threading import Event, Timer
from typing import Any

_PATIENCE_S = 120


class ProgramEnded(Exception):
    """The program is gone; the text has its exit code and its standard error."""


class JobProgram:
    """One running program.

    Args:
        name: Its name in errors.
        command: Starts it.
        environment: Its variables; this process's own where they are missing.
        patience_s: How long an answer may take; after that the program is killed.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        patience_s: float = _PATIENCE_S,
    ) -> None:
        self._name = name
        self._patience_s = patience_s
        self._ended: str | None = None
        with ExitStack() as stack:
            self._complaints = stack.enter_context(TemporaryFile("w+", encoding="utf-8"))
            self._process = stack.enter_context(
                subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=self._complaints,
                    encoding="utf-8",
                    env=environment,
                )
            )
            self._stack = stack.pop_all()

    def ask(self, job: object) -> Any:
        """Return the program's answer.

        Raises:
            ProgramEnded: The program has ended; every later request raises it at once.
        """
        if self._ended is not None:
            raise ProgramEnded(self._ended)
        is_late = Event()

        def give_up() -> None:
            is_late.set()
            # The end of a program that hangs ends its output too.
            self._process.kill()

        patience = Timer(self._patience_s, give_up)
        patience.start()
        try:
            answer = self._answer(json.dumps(job))
        finally:
            patience.cancel()
        if not answer:
            late = f"gave no answer in {self._patience_s:g} s" if is_late.is_set() else None
            self._ended = self._end(late)
            raise ProgramEnded(self._ended)
        return json.loads(answer)

    def close(self) -> None:
        """Let the program end; it must do so by itself and without a complaint.

        A program that ended before is not reported again.
        """
        with self._stack:
            if self._ended is None:
                self._process.communicate(timeout=self._patience_s)
                code, said = self._process.returncode, self._said()
                how = f"{self._name} ended with exit code {code}; its standard error: {said!r}"
                assert (code, said) == (0, ""), how

    def _answer(self, line: str) -> str:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        try:
            stdin.write(f"{line}\n")
            stdin.flush()
        except BrokenPipeError:
            return ""
        return stdout.readline()

    def _end(self, late: str | None) -> str:
        # With its input at an end, which has nothing left to be written to a pipe that is closed.
        with suppress(BrokenPipeError):
            self._process.communicate(timeout=self._patience_s)
        code = self._process.wait()
        return (
            f"{self._name} {late or f'ended with exit code {code}'}; "
            f"its standard error: {self._said()!r}"
        )

    def _said(self) -> str:
        self._complaints.seek(0)
        return self._complaints.read()
