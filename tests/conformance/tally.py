"""The outcome of a conformance run, by host and suite: a table and a JSON file."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.recorded import HOSTS, SUITES
from tests.conformance.scenes import HostAbout


@dataclass(slots=True)
class _Row:
    passed: int = 0
    failed: int = 0
    excused: Counter[str] = field(default_factory=Counter)
    expected_failures: Counter[str] = field(default_factory=Counter)

    @property
    def cases(self) -> int:
        return (
            self.passed
            + self.failed
            + sum(self.excused.values())
            + sum(self.expected_failures.values())
        )


class Tally:
    """Counts test reports that carry the property `conformance`.

    The reports are all that it needs, so that they may come from other processes.
    """

    def __init__(self) -> None:
        self._abouts: dict[str, HostAbout] = {}
        self._rows: dict[tuple[str, str], _Row] = defaultdict(_Row)
        self._missing: dict[str, str] = {}

    @property
    def is_empty(self) -> bool:
        """True if no recorded case was asked for."""
        return not self._rows and not self._missing

    def add(self, report: pytest.TestReport) -> None:
        """Add the counts of one report, if it is that of a suite on a host."""
        properties: dict[str, Any] = dict(report.user_properties)
        if report.when != "call" or "conformance" not in properties:
            return
        host, suite = properties["conformance"]
        if (missing := _why_missing(report, properties)) is not None:
            self._missing[host] = missing
            return
        if "about" in properties:
            version, start_ms = properties["about"]
            self._abouts[host] = HostAbout(version=version, start_ms=start_ms)
        row = self._rows[host, suite]
        counts = properties.get("counts", _NO_COUNTS)
        row.passed += counts["passed"]
        row.failed += counts["failed"]
        row.excused.update(counts["excused"])
        row.expected_failures.update(counts["expected_failures"])

    def lines(self) -> Iterator[str]:
        """Yield the table, then every excuse and every expected failure in words."""
        titles = ("host", "suite", "cases", "passed", "failed", "excused", "expected failures")
        hosts, suites = max(map(len, HOSTS)), max(map(len, SUITES))
        layout = f"{{:<{hosts}}} {{:<{suites}}} {{:>5}} {{:>6}} {{:>6}} {{:>7}} {{:>17}}"
        yield layout.format(*titles)
        for (host, suite), row in self._sorted_rows():
            excused, expected = sum(row.excused.values()), sum(row.expected_failures.values())
            yield layout.format(host, suite, row.cases, row.passed, row.failed, excused, expected)
        for (host, suite), row in self._sorted_rows():
            for capability, count in sorted(row.excused.items()):
                yield f"excused on {host}, {suite}: {count} without {capability}"
            for reason, count in sorted(row.expected_failures.items()):
                yield f"expected failure on {host}, {suite}: {count}, {reason}"
        for host, missing in self._missing.items():
            yield f"not run on {host}: {missing}"

    def write(self, path: Path) -> None:
        """Write the same as JSON, with the hosts' own descriptions."""
        rows = [
            {
                "host": host,
                "suite": suite,
                "cases": row.cases,
                "passed": row.passed,
                "failed": row.failed,
                "excused": dict(sorted(row.excused.items())),
                "expected_failures": dict(sorted(row.expected_failures.items())),
            }
            for (host, suite), row in self._sorted_rows()
        ]
        document = {
            "hosts": {host: asdict(about) for host, about in self._abouts.items()},
            "missing": self._missing,
            "rows": rows,
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(document, indent=2) + "\n", "utf-8")

    def _sorted_rows(self) -> list[tuple[tuple[str, str], _Row]]:
        return sorted(
            self._rows.items(), key=lambda item: (HOSTS.index(item[0][0]), SUITES.index(item[0][1]))
        )


def _why_missing(report: pytest.TestReport, properties: dict[str, Any]) -> str | None:
    """Return what to install for a host that is not on this machine, or None."""
    if "counts" in properties or not report.skipped or not isinstance(report.longrepr, tuple):
        return None
    _, _, said = report.longrepr
    return said.removeprefix("Skipped: ")


# A host that fails before it is asked any case fails the suite as one.
_NO_COUNTS = {"passed": 0, "failed": 1, "excused": {}, "expected_failures": {}}
