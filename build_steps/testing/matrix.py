"""`matrix`: runs the recorded cases on every host of this machine, and writes the table."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from build_steps.bundle import make_dist
from build_steps.failure import BuildFailed
from build_steps.folders import ROOT
from build_steps.programs import exit_code
from build_steps.testing.browsers import (
    BROWSERS,
    WEBKIT,
    install_debian_packages,
    make_sure_of_browsers,
)
from build_steps.testing.matrix_table import differences, facts_of, render_table, with_table
from build_steps.testing.test import SIDE_BY_SIDE, make_test_environment
from build_steps.web.packages import install_edge_runtimes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from build_steps.testing.matrix_table import Facts

PAGE = ROOT / "docs" / "hosts.md"
"""The page with the table."""

FACTS = PAGE.with_suffix(".json")
"""The facts that the table shows."""

CASES = ("--all", "tests/conformance")
"""The arguments of pytest that ask every case on every host; `--all` adds the slower hosts."""

_RESULTS = ROOT / "test-results" / "conformance.json"
_COMMAND = "`python build.py matrix`"


def run(*, check: bool) -> int:
    """Bundle, run the cases on every host, print the table, and write it and its facts.

    Installs WebKit from Debian's archive if this user may. Does not write the page if a host is
    missing, if a case failed, or if `check` is set.

    Returns:
        0; or 1 if a host is missing or, with `check`, the page differs.
    """
    make_sure_of_browsers(BROWSERS)
    make_dist()
    python = make_test_environment()
    install_debian_packages(WEBKIT)
    install_edge_runtimes()
    _RESULTS.unlink(missing_ok=True)
    pytest = (python, "-m", "pytest", "--quiet", "-r", "fE", *SIDE_BY_SIDE)
    code = exit_code([*pytest, *CASES])
    if not _RESULTS.is_file():
        raise BuildFailed("The conformance cases did not run: pytest says above why.")
    done = json.loads(_RESULTS.read_text("utf-8"))
    facts = facts_of(done)
    print(f"\n{render_table(facts, done['missing'])}", flush=True)
    if code != 0:
        raise BuildFailed(f"A test failed (see above), so {_name()} is not changed.")
    if check:
        return _compare(json.loads(FACTS.read_text("utf-8")), facts)
    return _write(facts, done["missing"])


def _write(facts: Facts, missing: Mapping[str, str]) -> int:
    if missing:
        for host, remedy in missing.items():
            print(f"{host} is not on this machine: {remedy}.", file=sys.stderr)
        print(f"{_name()} is not changed: a row would be missing.", file=sys.stderr)
        return 1
    text = json.dumps(facts, indent=1, ensure_ascii=False)
    FACTS.write_text(f"{text}\n", "utf-8", newline="\n")
    page = with_table(PAGE.read_text("utf-8"), render_table(facts))
    PAGE.write_text(page, "utf-8", newline="\n")
    print(f"{_name()} now has this table.")
    return 0


def _compare(told: Facts, seen: Facts) -> int:
    complaints = differences(told, seen)
    for complaint in complaints:
        print(f"{_name()} says {complaint}", file=sys.stderr)
    if complaints:
        print(f"Correct it, or run {_COMMAND} on a machine with every host.", file=sys.stderr)
    return 1 if complaints else 0


def _name() -> str:
    return PAGE.relative_to(ROOT).as_posix()
