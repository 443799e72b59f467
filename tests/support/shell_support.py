"""A shell for commands that the documentation tells, and the end of all that they started."""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest


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


@contextmanager
def left_running(
    *command: str, folder: Path, env: Mapping[str, str], says: str
) -> Iterator[re.Match[str]]:
    """Run a program that serves until the context ends; yields the first match in its output.

    The test fails if the program ends before it says so.
    """
    with subprocess.Popen(
        command,
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        said = []
        try:
            for line in process.stdout:
                said.append(line)
                if found := re.search(says, line):
                    yield found
                    break
            else:
                pytest.fail(f"it never said {says}, but:\n{''.join(said)}")
        finally:
            end_with_children(process)
