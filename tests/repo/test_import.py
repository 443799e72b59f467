"""Importing treeglass changes nothing: it must survive a snapshot of the memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys

# Watches audit events for what leaves the process, and every call for entropy:
# drawing it raises no event. Bytecode is not written, since that is the
# interpreter's own doing.
_WATCHED_IMPORT = """
import json, os, sys

OUTWARD = (
    "ftplib.", "http.", "os.chmod", "os.chown", "os.exec", "os.fork", "os.link", "os.mkdir",
    "os.posix_spawn", "os.putenv", "os.remove", "os.rename", "os.rmdir", "os.symlink",
    "os.system", "os.truncate", "os.unsetenv", "os.utime", "shutil.", "smtplib.", "socket.",
    "sqlite3.", "subprocess.", "tempfile.", "urllib.",
)
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
ENTROPY = {"urandom", "getrandom", "getrandbits", "random", "randbytes", "token_bytes", "uuid4"}
seen = set()

def audit(event, arguments):
    if event.startswith(OUTWARD):
        seen.add(event)
    if event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITING:
        seen.add(f"open {arguments[0]!r} for writing")

def profile(frame, event, called):
    if event == "c_call" and called.__name__ in ENTROPY:
        seen.add(f"call of {called.__name__}")

sys.addaudithook(audit)
sys.setprofile(profile)
import treeglass
{after}
sys.setprofile(None)
print(json.dumps(sorted(seen)))
"""

_OUTWARD = """
import socket
open(os.devnull, "w").close()
socket.socket().close()
os.urandom(1)
"""


def _seen(*, after: str = "") -> list[str]:
    script = _WATCHED_IMPORT.replace("{after}", after)
    ran = subprocess.run(
        [sys.executable, "-I", "-B", "-W", "error", "-c", script],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    seen: list[str] = json.loads(ran.stdout)
    return seen


def test_importing_treeglass_writes_nothing_reaches_nothing_and_draws_no_entropy() -> None:
    assert _seen() == []


def test_the_watch_sees_writing_a_socket_and_entropy() -> None:
    assert _seen(after=_OUTWARD) == [
        "call of urandom",
        f"open {os.devnull!r} for writing",
        "socket.__new__",
    ]
