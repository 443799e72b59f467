"""Importing treeglass changes nothing: it must survive a snapshot of the memory."""

import json
import os
import sys

from tests.support.import_watch import WATCHED_IMPORT
from tests.support.programs import printed_by

_OUTWARD = """
import socket
open(os.devnull, "w").close()
socket.socket().close()
os.urandom(1)
"""


def _seen(*, after: str = "") -> list[str]:
    script = WATCHED_IMPORT.replace("{after}", after)
    seen: list[str] = json.loads(
        printed_by(sys.executable, "-I", "-B", "-W", "error", "-c", script)
    )
    return seen


def test_importing_treeglass_writes_nothing_reaches_nothing_and_draws_no_entropy() -> None:
    assert _seen() == []


def test_the_watch_sees_writing_a_socket_and_entropy() -> None:
    assert _seen(after=_OUTWARD) == [
        "call of urandom",
        f"open {os.devnull!r} for writing",
        "socket.__new__",
    ]
