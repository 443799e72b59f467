"""The command line, run in the process of the test."""

import io
import sys
from pathlib import Path
from typing import Protocol

import pytest

from treeglass.__main__ import main


class RunCommand(Protocol):
    """Runs `treeglass`, and returns its exit code, what it printed, and what it complained of."""

    def __call__(self, *arguments: str | Path, stdin: bytes = b"") -> tuple[int, str, str]: ...


@pytest.fixture
def treeglass(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> RunCommand:
    def run(*arguments: str | Path, stdin: bytes = b"") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as left:
            code = int(left.code or 0)
        return code, *capsys.readouterr()

    return run
