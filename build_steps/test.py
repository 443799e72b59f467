"""`test`: what was built, tested as an outsider would get it."""

from __future__ import annotations

import os
import time
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

from build_steps.browsers import make_sure_of_browsers
from build_steps.bundle import make_dist
from build_steps.folders import BUILD, ROOT, WEB
from build_steps.freshness import remake_when_stale
from build_steps.programs import exit_code, find_program
from build_steps.programs import run as run_program
from build_steps.wheel import wheel_path

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_ENVIRONMENT = BUILD / "test-env"
_PYTHON = _ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
_RESULTS = BUILD / "test-results" / "pytest.xml"

# Each has browsers of its own, with a Python and an interpreter in every page.
_PROCESSES = min(4, os.cpu_count() or 1)

SIDE_BY_SIDE = (f"--numprocesses={_PROCESSES}", "--dist=loadgroup")
"""Has pytest use several processes, with all tests of a module in the same one.

What they share takes seconds to make; `tests/conftest.py` finds what is marked otherwise.
"""


def run(pytest_arguments: Sequence[str]) -> int:
    """Bundle, then run every suite to its end, whatever the one before it said.

    The last line printed is `pytest: N passed, N failed, N skipped`.
    """
    started_s = time.monotonic()
    make_dist()
    make_test_environment()
    make_sure_of_browsers()
    print("\nnpm test, in web/", flush=True)
    web_started_s = time.monotonic()
    web_code = exit_code([find_program("npm"), "test", "--silent"], folder=WEB)
    web_s = time.monotonic() - web_started_s
    print("\npytest, against the built wheel", flush=True)
    python_started_s = time.monotonic()
    python_code = _run_pytest(pytest_arguments)
    ended_s = time.monotonic()
    print(
        f"\nnpm test {_verdict(web_code)} in {web_s:.0f} s, "
        f"pytest {_verdict(python_code)} in {ended_s - python_started_s:.0f} s; "
        f"with the build, {ended_s - started_s:.0f} s in all."
    )
    print(_pytest_counts(), flush=True)
    return 0 if web_code == python_code == 0 else 1


def make_test_environment() -> Path:
    """Install what `pyproject.toml` pins, and the built wheel where the sources would be.

    Returns:
        The environment's Python.
    """

    def make() -> None:
        uv = find_program("uv")
        broken = "The test environment could not be made: correct what uv says above and run again."
        run_program(
            [uv, "sync", "--quiet", "--no-install-project"],
            environment={"UV_PROJECT_ENVIRONMENT": os.fspath(_ENVIRONMENT)},
            otherwise=broken,
        )
        run_program(
            [
                *(uv, "pip", "install", "--quiet", "--no-deps", "--reinstall"),
                *("--python", _PYTHON, wheel_path()),
            ],
            otherwise=broken,
        )

    remake_when_stale(
        "test environment",
        inputs=[ROOT / "pyproject.toml", wheel_path()],
        outputs=[_PYTHON],
        make=make,
    )
    return _PYTHON


def _run_pytest(pytest_arguments: Sequence[str]) -> int:
    _RESULTS.unlink(missing_ok=True)
    # The newer report format has no place for what the conformance cases
    # record of themselves, and pytest's warning of that would fail each of them.
    report = ("--override-ini=junit_family=xunit1", f"--junit-xml={_RESULTS}")
    return exit_code([_PYTHON, "-m", "pytest", *SIDE_BY_SIDE, *report, *pytest_arguments])


def _verdict(code: int) -> str:
    return "passed" if code == 0 else "FAILED"


def _pytest_counts() -> str:
    if not _RESULTS.is_file():
        return "pytest: 0 passed, 1 failed, 0 skipped"
    suite = ET.parse(_RESULTS).getroot().find("testsuite")  # noqa: S314  # our own pytest wrote it
    counts = dict(suite.items()) if suite is not None else {}
    failed = int(counts.get("failures", 0)) + int(counts.get("errors", 0))
    skipped = int(counts.get("skipped", 0))
    passed = int(counts.get("tests", 0)) - failed - skipped
    return f"pytest: {passed} passed, {failed} failed, {skipped} skipped"
