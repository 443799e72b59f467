"""Run an example by the command that its README documents, in a checkout of its own."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.shell_support import end_with_children, shell

WEB = Path(__file__).parent.parent.parent / "web"

# Makes `npm install` ask the registry only for what its cache lacks.
_LEAN = {"npm_config_prefer_offline": "true", "npm_config_audit": "false", "NO_COLOR": "1"}

_ROW = re.compile(
    r"^\| \[(?P<name>[\w-]+)\]\((?P<folder>[\w-]+)/\) .*\| `(?P<command>[^`]+)`, .* \|$",
    re.MULTILINE,
)


def copy_examples(dist: Path, checkout: Path) -> None:
    """Make a checkout of the examples and the built packages, with nothing installed."""
    examples = dist.parent / "web" / "examples"
    unwanted = shutil.ignore_patterns(
        *("node_modules", "dist", "public", "package-lock.json", "treeglass")
    )
    shutil.copytree(examples, checkout / "web" / "examples", ignore=unwanted)
    (checkout / "dist").symlink_to(dist, target_is_directory=True)


def documented_commands() -> dict[str, str]:
    """Return the one command of each example, as the examples' own README tells it."""
    return {row["name"]: row["command"] for row in _rows()}


def documented_folders() -> dict[str, str]:
    """Return the folder of each example."""
    return {row["name"]: row["folder"] for row in _rows()}


def _rows() -> Iterable[re.Match[str]]:
    return _ROW.finditer((WEB / "examples" / "README.md").read_text("utf-8"))


@contextmanager
def running(command: str, folder: Path, **environment: str) -> Iterator[str]:
    """Run a command until the context ends; yields the first address that it prints."""
    running = subprocess.Popen(
        [shell(), "-c", command],
        cwd=folder,
        env=os.environ | _LEAN | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        start_new_session=True,
    )
    assert running.stdout is not None
    try:
        yield _first_address(running.stdout)
    finally:
        end_with_children(running)
        running.stdout.close()


def _first_address(lines: Iterable[str]) -> str:
    said = []
    for line in lines:
        said.append(line)
        # Not the addresses of documentation that npm's warnings name.
        if address := re.search(r"http://(?:127\.0\.0\.1|localhost):\d+", line):
            return address[0]
    pytest.fail("no address was printed, but:\n" + "".join(said))
