"""A shell for commands that the documentation tells, and the end of all that they started."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess


def shell() -> str:
    """Return the path of a POSIX shell; Git brings one to Windows."""
    return shutil.which("sh") or "/bin/sh"


def end_with_children(process: subprocess.Popen[str]) -> None:
    """End a process that was started with `start_new_session`, and its children too."""
    if hasattr(os, "killpg"):
        os.killpg(process.pid, signal.SIGTERM)
    else:
        # Windows keeps no groups, but knows the parent of each process.
        tree = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
        subprocess.run(tree, check=True, capture_output=True)  # the system's own
    process.wait()
