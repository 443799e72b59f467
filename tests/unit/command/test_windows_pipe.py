"""What a pipe gets on Windows, where text has another encoding and other line ends."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from treeglass.__main__ import main

_ASKING = json.dumps({"tool": "list_dir", "arguments": {"dir_path": "/repo"}})


def _bytes_in_pipe(monkeypatch: pytest.MonkeyPatch, *arguments: str, stdin: bytes = b"") -> bytes:
    """Run the command with streams of Windows, and return what reaches the pipe."""
    written = io.BytesIO()
    pipe = io.TextIOWrapper(written, encoding="cp1252", newline="\r\n", write_through=True)
    monkeypatch.setattr(sys, "stdout", pipe)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="cp1252"))
    assert main(arguments) == 0
    return written.getvalue()


def test_batch_writes_one_line_feed_for_each_answer(
    make_tree: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    mount = f"/repo={make_tree({'a.txt': 'x'})}"

    asked = f"{_ASKING}\r\n{_ASKING}\r\n".encode()
    written = _bytes_in_pipe(monkeypatch, "batch", "--mount", mount, stdin=asked)

    first, second, rest = written.split(b"\n")
    assert json.loads(first)["content"] == json.loads(second)["content"]
    assert (rest, b"\r" in written) == (b"", False)


def test_call_writes_utf_8(make_tree: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    tree = make_tree({"\N{SNOWMAN}.txt": "x"})

    asked = ("call", "list_dir", '{"dir_path": "/repo"}', "--mount", f"/repo={tree}")
    written = _bytes_in_pipe(monkeypatch, *asked)

    assert "\N{SNOWMAN}.txt".encode() in written
    assert b"\r" not in written
