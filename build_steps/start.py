"""Starts the build on a machine that has Python alone: finds uv, or installs it, and runs it.

Used before there is an environment, so it imports only what Python brings.
"""

from __future__ import annotations

import locale
import os
import shutil
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from build_steps.failure import BuildFailed
from build_steps.folders import CACHE, ROOT
from build_steps.programs import is_runnable, missing_programs, run_quietly
from build_steps.testing.browsers import missing_browsers

if TYPE_CHECKING:
    from collections.abc import Sequence

_REQUIREMENTS = ROOT / ".ci" / "requirements.txt"
"""Pins the uv that is installed."""

_ENVIRONMENT = Path(ROOT, os.environ.get("UV_PROJECT_ENVIRONMENT", ".venv"))

_FETCHED_PYTHON = "3.13"
"""What is fetched where no Python is new enough; the newest one may be too new for the tools."""

_NEEDS_NO_PROGRAM = {"clean", "-h", "--help"}


def is_in_environment() -> bool:
    """Tell whether this process is one that `uv run` has started in the project's environment."""
    return "UV" in os.environ and Path(sys.prefix) == _ENVIRONMENT


def run_again(argv: Sequence[str]) -> int:
    """Run `build.py` with the same arguments by uv, and return its exit code.

    First looks for the programs that the build needs, so that a missing one is told at once.
    """
    try:
        if argv and argv[0] not in _NEEDS_NO_PROGRAM:
            _require_programs(argv)
        uv = find_or_install_uv()
        command = [uv, "run", str(ROOT / "build.py"), *argv]
        choices = {**_choice_of_python(uv), **_choice_of_locale(), "PATH": _path_with(uv)}
    except BuildFailed as failure:
        print(failure, file=sys.stderr)
        return 1
    try:
        return subprocess.run(command, env={**os.environ, **choices}, check=False).returncode
    except KeyboardInterrupt:
        # uv got the same signal, and the build has said that it stopped.
        return 130


def _choice_of_locale() -> dict[str, str]:
    """Return a variable that chooses UTF-8 where Linux is set to another encoding.

    Python before 3.12.4 reads the environment's path of `src/` by the locale, and does not start
    if it has a sign that the locale lacks.
    """
    if not sys.platform.startswith("linux") or locale.getencoding().lower() == "utf-8":
        return {}
    return {"LC_ALL": "C.UTF-8"}


def _path_with(uv: str) -> str:
    """Return a PATH on which scripts and tests find this uv too.

    Its folder comes last, since one in `.cache/uv/` has a Python as well.
    """
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    folder = str(Path(uv).parent)
    return os.pathsep.join(folders if folder in folders else [*folders, folder])


def _require_programs(argv: Sequence[str]) -> None:
    faults = missing_programs()
    if faults:
        browsers = missing_browsers(argv[1:]) if argv[0] == "test" else []
        raise BuildFailed(" ".join([*faults, *browsers]))


def find_or_install_uv() -> str:
    """Return the path of uv: that on the PATH, or one in `.cache/uv/`, installed if necessary."""
    own = CACHE / "uv" / ("Scripts/uv.exe" if os.name == "nt" else "bin/uv")
    for found in (os.environ.get("UV"), shutil.which("uv"), str(own)):
        # A version manager's shim may be on the PATH without the program.
        if found is not None and is_runnable(found):
            return found
    if find_spec("ensurepip") is None:
        raise BuildFailed(
            f"uv was not found, and {sys.executable} cannot install it, because it lacks the "
            "modules venv and ensurepip: install them (on Debian and Ubuntu the package "
            "python3-venv) or uv, and run again."
        )
    print("uv was not found: installing it in .cache/uv/.", flush=True)
    run_quietly(
        [sys.executable, "-m", "venv", "--clear", CACHE / "uv"],
        log_name="uv-venv",
        otherwise=f"uv was not found, and {sys.executable} could not make an environment for it: "
        "install uv and run again.",
    )
    run_quietly(
        [
            *(own.with_name("python" + own.suffix), "-m", "pip", "install", "--quiet"),
            *("--disable-pip-version-check", "--requirement", _REQUIREMENTS),
        ],
        log_name="uv-install",
        otherwise="uv was not found, and pip could not install it: "
        "check the network connection, or install uv, and run again.",
    )
    return str(own)


def _python_of_pyenv() -> Path | None:
    """Return a Python that pyenv keeps off the PATH, or None."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = [*versions.glob("3.12.*/bin/python"), *versions.glob("3.13.*/bin/python")]
    return max(found, default=None)


def _choice_of_python(uv: str) -> dict[str, str]:
    """Return variables that keep uv from fetching a Python by itself.

    Fetches one if no Python of the machine is new enough.
    """
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wanted: str = pyproject["tool"]["uv"]["dependency-groups"]["dev"]["requires-python"]
    asked = [uv, "python", "find", "--no-python-downloads", wanted]
    if subprocess.run(asked, cwd=ROOT, capture_output=True, check=False).returncode != 0:
        own = _python_of_pyenv()
        if own is not None:
            return {"UV_PYTHON": str(own), "UV_PYTHON_DOWNLOADS": "never"}
        print(f"Python {wanted} was not found: uv fetches {_FETCHED_PYTHON}.", flush=True)
        run_quietly(
            [uv, "python", "install", "--no-bin", _FETCHED_PYTHON],
            log_name="uv-python-install",
            otherwise=f"The build needs Python {wanted}, which was not found, and uv could not "
            f"fetch one: install Python {_FETCHED_PYTHON} and run again.",
        )
    return {"UV_PYTHON_DOWNLOADS": "never"}
