"""Several processes that install into one folder of `build/` install once, and whole."""

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.support.programs import write_program

_PROCESSES = 4

_ASKING = """\
import sys
from pathlib import Path
from build_steps import folders

folders.ROOT = Path(sys.argv[1])
folders.BUILD = folders.ROOT / "build"
from build_steps.web.packages import install_locked

print("asking", flush=True)
place = install_locked("small", folders.ROOT / "small", into=folders.BUILD / "small")
print((place / "node_modules" / "installed.txt").read_text())
"""

# Stands for npm, which asks a registry: it holds its installation open until it may go on.
_NPM = """\
mkdir node_modules
echo "$*" >> "$0.started"
echo started > "$0.starts"
read line < "$0.gate"
echo whole > node_modules/installed.txt
"""


@pytest.fixture
def npm(tmp_path: Path, make_pipe: Callable[[Path], None]) -> Path:
    """A program that stands for npm, and a lock that it is to install."""
    small = tmp_path / "small"
    small.mkdir()
    for name in ("package.json", "package-lock.json"):
        (small / name).write_text("{}", "utf-8")
    npm = tmp_path / "bin" / "npm"
    npm.parent.mkdir()
    write_program(npm, _NPM)
    for name in ("starts", "gate"):
        make_pipe(npm.with_name(f"npm.{name}"))
    return npm


def test_processes_that_ask_at_once_get_one_installation(
    npm: Path, tmp_path: Path, root: Path
) -> None:
    path = os.pathsep.join([str(npm.parent), os.environ["PATH"]])
    with ExitStack() as stack:
        asking = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-c", _ASKING, tmp_path],
                    cwd=root,
                    env=os.environ | {"PATH": path},
                    stdout=subprocess.PIPE,
                    encoding="utf-8",
                )
            )
            for _ in range(_PROCESSES)
        ]
        outputs = [process.stdout for process in asking if process.stdout]
        said_first = [output.readline() for output in outputs]
        with npm.with_name("npm.starts").open(encoding="utf-8") as starts:
            assert starts.readline() == "started\n"
        with npm.with_name("npm.gate").open("w", encoding="utf-8") as gate:
            gate.write("go on\n")
        said = sorted(output.read().split()[1] for output in outputs)

    assert said_first == ["asking\n"] * _PROCESSES
    assert said == ["installing", "up", "up", "up"]
    started = npm.with_name("npm.started").read_text("utf-8")
    assert started == "ci --ignore-scripts --no-audit --no-fund\n"
    stamped = tmp_path / "build" / "small" / "node_modules" / "installed.txt"
    assert stamped.read_text("utf-8") == "whole\n"
