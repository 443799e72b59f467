"""Find other programs by name, and run them as the user who called the build."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from typing import TYPE_CHECKING

from build_steps.failure import BuildFailed
from build_steps.folders import BUILD, NODE_MODULES, ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_REMEDIES = {
    "git": "Git was not found: install Git and run the command again.",
    "node": "Node.js was not found: install Node.js 20 or newer and run the command again.",
    "npm": "npm was not found: install Node.js 20 or newer, which brings npm, and run again.",
    "uv": "uv was not found: start the build as `python build.py`, which installs it.",
}


def find_program(name: str) -> str:
    """Return the path of a program that the build needs."""
    # uv names itself in a variable; it may be missing from the PATH.
    found = os.environ.get("UV") if name == "uv" else None
    found = found or shutil.which(name)
    if found is None:
        raise BuildFailed(_REMEDIES[name])
    return found


_OLDEST_NODE = 20


def missing_programs() -> list[str]:
    """Return a sentence for each program that every build needs and that is missing or too old."""
    missing = [_REMEDIES[name] for name in ("git", "node", "npm") if shutil.which(name) is None]
    node = shutil.which("node")
    if node is not None:
        asked = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
        version = asked.stdout.strip().removeprefix("v")
        if asked.returncode == 0 and int(version.partition(".")[0]) < _OLDEST_NODE:
            missing.append(
                f"Node.js {version} is too old: install Node.js {_OLDEST_NODE} or newer "
                "and run the command again."
            )
    return missing


def is_runnable(program: str | os.PathLike[str]) -> bool:
    """Tell whether a program starts here and tells its version."""
    try:
        asked = subprocess.run([program, "--version"], capture_output=True, check=False)
    except OSError:
        return False
    return asked.returncode == 0


def find_node_tool(name: str) -> str:
    """Return the path of a program that `web/package.json` pins."""
    found = shutil.which(name, path=NODE_MODULES / ".bin")
    if found is None:
        raise BuildFailed(
            f"{name} is missing in web/node_modules: remove that folder and run the command again."
        )
    return found


def run(
    command: Sequence[str | os.PathLike[str]],
    *,
    otherwise: str,
    folder: Path = ROOT,
    environment: Mapping[str, str] | None = None,
) -> None:
    """Run a program to its end; its output goes where the build's own goes.

    Raises:
        BuildFailed: Its exit code is not 0; the message is `otherwise`.
    """
    if exit_code(command, folder=folder, environment=environment) != 0:
        raise BuildFailed(otherwise)


def run_quietly(
    command: Sequence[str | os.PathLike[str]],
    *,
    log_name: str,
    otherwise: str,
    folder: Path = ROOT,
) -> None:
    """Run a program to its end; its output goes to a file in `build/logs/`.

    For programs that fetch: without a network they print fifty lines.

    Raises:
        BuildFailed: Its exit code is not 0; the message is `otherwise`, the first line of
            complaint, and the path of the log.
    """
    log = BUILD / "logs" / f"{log_name}.log"
    if exit_code(command, folder=folder, log=log) != 0:
        complaint = first_complaint(log.read_text(encoding="utf-8", errors="replace"))
        place = log.relative_to(ROOT).as_posix()
        raise BuildFailed(f"{otherwise} It printed {complaint!r}; the rest is in {place}.")


def output_of(
    command: Sequence[str | os.PathLike[str]],
    *,
    otherwise: str,
    folder: Path = ROOT,
    given: str | None = None,
) -> str:
    """Run a program to its end, perhaps with an input, and return what it printed.

    Its complaints go where the build's own go.
    """
    done = subprocess.run(
        command, cwd=folder, input=given, stdout=subprocess.PIPE, encoding="utf-8", check=False
    )
    if done.returncode != 0:
        raise BuildFailed(otherwise)
    return done.stdout


def first_complaint(words: str) -> str:
    """Return the line in which npm, pip or Playwright says what went wrong, or else the last."""
    # npm's first line is only a code; Playwright's last lines are where its program stood.
    complaint = re.search(r"^(?:npm error (?!code\b)|ERROR: |Error: )(\S.*)", words, re.MULTILINE)
    if complaint is not None:
        return complaint[1].strip()
    return next(reversed(words.splitlines()), "nothing").strip()


def exit_code(
    command: Sequence[str | os.PathLike[str]],
    *,
    folder: Path = ROOT,
    environment: Mapping[str, str] | None = None,
    log: Path | None = None,
) -> int:
    """Run a program to its end, perhaps with more variables, and return its exit code.

    Without a log, its output goes where the build's own goes.
    """
    variables = _environment(environment or {})
    if log is None:
        return subprocess.run(command, cwd=folder, env=variables, check=False).returncode
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as output:
        return subprocess.run(
            command, cwd=folder, env=variables, stdout=output, stderr=output, check=False
        ).returncode


def runs_as_root() -> bool:
    """Tell whether the build runs as root, which Windows has not."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


_NOT_INHERITED = {
    # `uv run` sets it, and a uv called from here would warn that it is another environment than
    # the one that it was told to use.
    "VIRTUAL_ENV",
    # Each of a hundred processes would compile the same packages again: a third of the time of
    # tests that start Python.
    "PYTHONDONTWRITEBYTECODE",
}


def _environment(additions: Mapping[str, str]) -> dict[str, str]:
    inherited = {key: value for key, value in os.environ.items() if key not in _NOT_INHERITED}
    return {**inherited, **additions}
