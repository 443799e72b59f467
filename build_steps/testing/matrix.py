"""`matrix`: the recorded cases on every host that is here, and the table of that."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from build_steps.bundle import make_dist
from build_steps.failure import BuildFailed
from build_steps.folders import ROOT
from build_steps.programs import exit_code
from build_steps.testing.browsers import WEBKIT, install_debian_packages, make_sure_of_browsers
from build_steps.testing.matrix_table import (
    differences,
    facts_in,
    render_table,
    table_in,
    with_table,
)
from build_steps.testing.test import SIDE_BY_SIDE, make_test_environment
from build_steps.web.packages import install_edge_runtimes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from build_steps.testing.matrix_table import Facts

PAGE = ROOT / "docs" / "hosts.md"
"""The page that shows the table."""

_RESULTS = ROOT / "test-results" / "conformance.json"
_COMMAND = "`uv run build.py matrix`"


def run(*, check: bool) -> int:
    """Bundle, run the cases on every host, print the table, and write it into `docs/hosts.md`.

    WebKit is installed from Debian's archive where that can be done. The page is left as it is
    where a host is missing or a case failed, and where only a check was asked for.

    Returns:
        0, or 1 where a host is missing, a case failed or, of a check, the page says otherwise.
    """
    make_dist()
    python = make_test_environment()
    make_sure_of_browsers()
    install_debian_packages(WEBKIT)
    install_edge_runtimes()
    _RESULTS.unlink(missing_ok=True)
    pytest = (python, "-m", "pytest", "--quiet", "-r", "fE", *SIDE_BY_SIDE)
    code = exit_code([*pytest, "tests/conformance"])
    if not _RESULTS.is_file():
        raise BuildFailed("The conformance cases did not run: see what pytest says above.")
    done = json.loads(_RESULTS.read_text("utf-8"))
    table = render_table(done)
    print(f"\n{table}", flush=True)
    if code != 0:
        raise BuildFailed(f"A test failed, so {_name()} is left as it is: see above which.")
    if check:
        return _compare(facts_in(table_in(PAGE.read_text("utf-8"))), facts_in(table))
    return _write(done, table)


def _write(done: Mapping[str, Any], table: str) -> int:
    if done["missing"]:
        for host, said in done["missing"].items():
            print(f"{host} is not on this machine: {said}.", file=sys.stderr)
        print(f"{_name()} is left as it is: a row of it would be missing.", file=sys.stderr)
        return 1
    page = with_table(PAGE.read_text("utf-8"), table)
    PAGE.write_text(page, "utf-8", newline="\n")
    print(f"{_name()} has this table now.")
    return 0


def _compare(told: Facts, seen: Facts) -> int:
    complaints = differences(told, seen)
    for complaint in complaints:
        print(f"{_name()} says {complaint}", file=sys.stderr)
    if complaints:
        print(f"Correct what is wrong, or run {_COMMAND} where every host is.", file=sys.stderr)
    return 1 if complaints else 0


def _name() -> str:
    return PAGE.relative_to(ROOT).as_posix()
