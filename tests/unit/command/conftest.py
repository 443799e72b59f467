"""The command line, run in the process of the test."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING, Protocol

import pytest

from treeglass.__main__ import main

if TYPE_CHECKING:
    from pathlib import Path


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
