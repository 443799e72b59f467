"""`test`: tests the built packages, as their users get them."""

from __future__ import annotations

import os
import sys
import time
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

from build_steps.bundle import make_dist
from build_steps.failure import BuildFailed
from build_steps.folders import BUILD, ROOT, WEB
from build_steps.freshness import remake_when_stale
from build_steps.programs import exit_code, find_program, missing_programs
from build_steps.programs import run as run_program
from build_steps.testing.browsers import browsers_of, make_sure_of_browsers
from build_steps.wheels.wheel import wheel_path

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

_ENVIRONMENT = BUILD / "test-env"
_PYTHON = _ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
_RESULTS = BUILD / "test-results" / "pytest.xml"
_NPM_LOG = BUILD / "test-results" / "npm-test.log"

_ALL = "--all"
"""The argument that selects every test, and a complete `dist/` for them."""

# Each process has its own browsers, with an interpreter in every page.
_PROCESSES = min(4, os.cpu_count() or 1)

SIDE_BY_SIDE = (
    *(f"--numprocesses={_PROCESSES}", "--dist=loadgroup"),
    "--no-loadscope-reorder",  # by the number of their tests, which tells little
)
"""Options of pytest: several processes, with the tests of a group in the same one.

The fixtures that a group shares take seconds to make; `tests/conftest.py` makes the groups, and
puts those that take long first.
"""


def run(pytest_arguments: Sequence[str]) -> int:
    """Bundle, then run `npm test` and pytest at the same time, both to their ends.

    What the tests need is looked for, or installed, before the build. The output of `npm test` is
    printed after pytest's. The last line printed is `pytest: N passed, N failed, N skipped`.
    """
    started_s = time.monotonic()
    if missing := missing_programs():
        raise BuildFailed(" ".join(missing))
    make_sure_of_browsers(browsers_of(pytest_arguments))
    make_dist(is_complete=_ALL in pytest_arguments)
    make_test_environment()
    print("\npytest, against the built wheel; beside it npm test, in web/", flush=True)
    with ThreadPoolExecutor() as threads:
        run_npm_test = partial(_run_npm_test, is_complete=_ALL in pytest_arguments)
        web_tests = threads.submit(_timed, run_npm_test)
        python_code, python_s = _timed(partial(_run_pytest, pytest_arguments))
        web_code, web_s = web_tests.result()
    print(f"\nnpm test, in web/\n{_NPM_LOG.read_text(encoding='utf-8', errors='replace')}")
    print(
        f"npm test {_verdict(web_code)} in {web_s:.0f} s, "
        f"pytest {_verdict(python_code)} in {python_s:.0f} s; "
        f"with the build, {time.monotonic() - started_s:.0f} s in all."
    )
    print(_pytest_counts(), flush=True)
    return 0 if web_code == python_code == 0 else 1


def make_test_environment() -> Path:
    """Install what `pyproject.toml` pins, and the built wheel; return the environment's Python."""

    def make() -> None:
        uv = find_program("uv")
        broken = "The test environment could not be made: correct what uv says above and run again."
        run_program(
            [uv, "sync", "--quiet", "--no-install-project", "--python", sys.executable],
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


def _timed(run_suite: Callable[[], int]) -> tuple[int, float]:
    started_s = time.monotonic()
    code = run_suite()
    return code, time.monotonic() - started_s


def _run_npm_test(*, is_complete: bool) -> int:
    script = "test" if is_complete else "test:fast"
    return exit_code([find_program("npm"), "run", "--silent", script], folder=WEB, log=_NPM_LOG)


def _run_pytest(pytest_arguments: Sequence[str]) -> int:
    _RESULTS.unlink(missing_ok=True)
    # The newer report format has no place for the properties that conformance cases record, and
    # pytest would warn, which fails each of them.
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
