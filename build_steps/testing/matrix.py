"""`matrix`: runs the recorded cases on every host of this machine, and writes the table."""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict

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
from build_steps.testing.test import SIDE_BY_SIDE, make_test_environment
from build_steps.web.packages import install_edge_runtimes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PAGE = ROOT / "docs" / "hosts.md"
"""The page with the table."""

FACTS = PAGE.with_suffix(".json")
"""The facts that the table shows."""

CASES = ("--all", "tests/conformance")
"""The arguments of pytest that ask every case on every host; `--all` adds the slower hosts."""

_RESULTS = ROOT / "test-results" / "conformance.json"
_NAME = PAGE.relative_to(ROOT).as_posix()


def run(*, check: bool) -> int:
    """Bundle, run the cases on every host, print the table, and write it and its facts.

    Installs WebKit from Debian's archive if this user may. Does not write the page if a host is
    missing, if a case failed, or if `check` is set.
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
        raise BuildFailed(f"A test failed (see above), so {_NAME} is not changed.")
    if check:
        return _compare(json.loads(FACTS.read_text("utf-8")), facts)
    return _write(facts, done["missing"])


def _write(facts: Facts, missing: Mapping[str, str]) -> int:
    if missing:
        for host, remedy in missing.items():
            print(f"{host} is not on this machine: {remedy}.", file=sys.stderr)
        print(f"{_NAME} is not changed: a row would be missing.", file=sys.stderr)
        return 1
    text = json.dumps(facts, indent=1, ensure_ascii=False)
    FACTS.write_text(f"{text}\n", "utf-8", newline="\n")
    page = with_table(PAGE.read_text("utf-8"), render_table(facts))
    PAGE.write_text(page, "utf-8", newline="\n")
    print(f"{_NAME} now has this table.")
    return 0


def _compare(told: Facts, seen: Facts) -> int:
    complaints = differences(told, seen)
    for complaint in complaints:
        print(f"{_NAME} says {complaint}", file=sys.stderr)
    if complaints:
        print(
            "Correct it, or run `python build.py matrix` on a machine with every host.",
            file=sys.stderr,
        )
    return 1 if complaints else 0


class HostFacts(TypedDict):
    """What the cases showed of one host."""

    version: str
    start: float | None
    """The time until it was ready, divided by that of `REFERENCE`; None if either is unknown."""
    cases: int
    passed: int
    failed: int
    excused: dict[str, int]
    """What a case needs, to the number of cases that need it."""
    expected_failures: dict[str, int]
    """The reason, to the number of cases."""


Facts: TypeAlias = "dict[str, HostFacts]"

REFERENCE = "cpython"
"""The host whose start time the others' are divided by."""

_BEGIN = "<!-- The table: written by `python build.py matrix`. -->"
_END = "<!-- The end of the table. -->"

_WORDS = ("Host", "Version", "Reason", "Hosts")
"""The titles of columns without numbers."""


def facts_of(run: Mapping[str, Any]) -> Facts:
    """Return the facts of a run, with its hosts in their order."""
    names = dict.fromkeys(row["host"] for row in run["rows"])
    return {name: _facts_of_host(run, name) for name in names}


def _facts_of_host(run: Mapping[str, Any], name: str) -> HostFacts:
    rows = [row for row in run["rows"] if row["host"] == name]
    about, reference = (run["hosts"].get(host) for host in (name, REFERENCE))

    def counts(reasons: str) -> dict[str, int]:
        return dict(sum((Counter[str](row[reasons]) for row in rows), Counter()))

    return {
        "version": about["version"] if about else "",
        "start": round(about["start_ms"] / reference["start_ms"], 1)
        if about and reference
        else None,
        "cases": sum(row["cases"] for row in rows),
        "passed": sum(row["passed"] for row in rows),
        "failed": sum(row["failed"] for row in rows),
        "excused": counts("excused"),
        "expected_failures": counts("expected_failures"),
    }


def render_table(facts: Facts, missing: Mapping[str, str] | None = None) -> str:
    """Return the Markdown of facts: a row for each host, for its excuses, and for each reason.

    A host that is missing has the words that say what to install.
    """
    parts = [_hosts_table(facts, missing or {})]
    if needs := sorted({need for one in facts.values() for need in one["excused"]}):
        rows = [
            [f"`{host}`", *(str(one["excused"].get(need, 0)) for need in needs)]
            for host, one in facts.items()
            if one["excused"]
        ]
        parts.append(f"Excused, by what the case needs:\n\n{_table(['Host', *needs], rows)}")
    if rows := _reason_rows(facts):
        parts.append(f"Expected to fail, and why:\n\n{_table(['Reason', 'Cases', 'Hosts'], rows)}")
    return "\n".join(parts)


def _reason_rows(facts: Facts) -> list[list[str]]:
    """Return a row for each reason and count, with the hosts that have both."""
    found: dict[tuple[str, int], list[str]] = {}
    for host, one in facts.items():
        for reason_and_count in one["expected_failures"].items():
            found.setdefault(reason_and_count, []).append(f"`{host}`")
    return [
        [reason, str(count), "all" if len(hosts) == len(facts) else ", ".join(hosts)]
        for (reason, count), hosts in found.items()
    ]


def _hosts_table(facts: Facts, missing: Mapping[str, str]) -> str:
    rows = [
        [
            f"`{host}`",
            one["version"],
            str(one["cases"]),
            str(one["passed"]),
            str(one["failed"]),
            str(sum(one["excused"].values())),
            str(sum(one["expected_failures"].values())),
            "" if one["start"] is None else f"{one['start']:.1f}",
        ]
        for host, one in facts.items()
    ]
    rows += [
        [f"`{host}`", f"not on this machine: {said}", *[""] * 6] for host, said in missing.items()
    ]
    counts = ["Cases", "Passed", "Failed", "Excused", "Expected to fail", "Start"]
    return _table(["Host", "Version", *counts], rows)


def differences(told: Facts, seen: Facts) -> list[str]:
    """Return a sentence for each count that differs, and for each host that was not tried.

    Versions and start times differ between machines, so they are not compared.
    """
    sentences = []
    for host, facts in seen.items():
        before = counts_of(told[host]) if host in told else {}
        sentences += [
            f"of {host}, {name}: {before.get(name, 'nothing')}; it is {value}."
            for name, value in counts_of(facts).items()
            if before.get(name) != value
        ]
    unseen = [f"of {host} what was not tried: it is not here." for host in told if host not in seen]
    return [*sentences, *unseen]


def counts_of(facts: HostFacts) -> dict[str, object]:
    """Return the facts that every machine finds alike."""
    return {name: value for name, value in facts.items() if name not in {"version", "start"}}


def with_table(page: str, table: str) -> str:
    """Return the page with this table between its markers."""
    before, _, rest = page.partition(_BEGIN)
    after = rest.partition(_END)[2]
    return f"{before}{_BEGIN}\n\n{table}\n{_END}{after}"


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    # Words are aligned left, numbers right.
    rule = ["---" if title in _WORDS else "---:" for title in titles]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in [titles, rule, *rows])
