"""The table of all hosts: written from the results of a conformance run, and read back.

The results are `test-results/conformance.json`: `rows` with the counts of a host and a suite,
`hosts` with the version and the start time of each, and `missing` with what to install for each
missing host.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Facts: TypeAlias = "dict[str, dict[str, str]]"
"""For each host the cells of its row, by the titles of the columns."""

REFERENCE = "cpython"
"""The host whose start time the others' are divided by."""

_BEGIN = "<!-- The table: written by `python build.py matrix`. -->"
_END = "<!-- The end of the table. -->"

_HOST, _VERSION, _START = "Host", "Version", "Start"
_CASES, _PASSED, _FAILED, _EXCUSED = "Cases", "Passed", "Failed", "Excused"
_EXPECTED = "Expected to fail"
_OF_THE_MACHINE = {_VERSION, _START}


@dataclass(slots=True)
class _Counts:
    cases: int = 0
    passed: int = 0
    failed: int = 0
    excused: Counter[str] = field(default_factory=Counter)
    expected: Counter[str] = field(default_factory=Counter)


def render_table(run: Mapping[str, Any]) -> str:
    """Return the Markdown of a run: a row for each host, excuses by name, reasons in words.

    Args:
        run: The results, with rows in the order of the hosts.
    """
    counts = _by_host(run["rows"])
    reasons = list(dict.fromkeys(reason for one in counts.values() for reason in one.expected))
    parts = [_hosts_table(run, counts, reasons)]
    if needs := sorted({need for one in counts.values() for need in one.excused}):
        rows = [[f"`{host}`", *_numbers(one, needs)] for host, one in counts.items() if one.excused]
        parts.append(f"Excused, by what the case needs:\n\n{_table([_HOST, *needs], rows)}")
    if reasons:
        said = "\n".join(f"- ({_letter(at)}) {reason}" for at, reason in enumerate(reasons))
        parts.append(f"Expected to fail, and why:\n\n{said}\n")
    return "\n".join(parts)


def _hosts_table(
    run: Mapping[str, Any], counts: Mapping[str, _Counts], reasons: Sequence[str]
) -> str:
    rows = [
        [
            f"`{host}`",
            run["hosts"].get(host, {}).get("version", ""),
            str(one.cases),
            str(one.passed),
            str(one.failed),
            str(one.excused.total()),
            _with_letters(one.expected, reasons),
            _relative_start(run["hosts"], host),
        ]
        for host, one in counts.items()
    ]
    missing = [
        [f"`{host}`", f"not on this machine: {said}", *[""] * 6]
        for host, said in run["missing"].items()
    ]
    titles = [_HOST, _VERSION, _CASES, _PASSED, _FAILED, _EXCUSED, _EXPECTED, _START]
    return _table(titles, [*rows, *missing])


def facts_in(table: str) -> Facts:
    """Return the cells of a rendered table for each host, by the titles of the columns.

    Leaves out versions and start times, which differ between machines, and missing hosts.
    Letters are replaced by the reasons that they stand for, and these are sorted: the
    letters are in the order of a run.
    """
    reasons = dict(re.findall(r"^- (\(\w+\)) (.+)$", table, re.MULTILINE))
    facts: Facts = {}
    for row in _rows_in(table):
        if row.get(_CASES) == "":
            continue
        facts.setdefault(row.pop(_HOST).strip("`"), {}).update(
            (title, ", ".join(sorted(_with_reasons(part, reasons) for part in cell.split(", "))))
            for title, cell in row.items()
            if title not in _OF_THE_MACHINE
        )
    return facts


def _with_reasons(text: str, reasons: dict[str, str]) -> str:
    return re.sub(r"\(\w+\)", lambda letter: reasons[letter[0]], text)


def differences(told: Facts, seen: Facts) -> list[str]:
    """Return a sentence for each difference, and for each host that was not tried.

    Args:
        told: The cells of the page.
        seen: The cells of a run.
    """
    otherwise = [
        f"of {host}, {title}: {said or 'nothing'}; it is {value}."
        for host, facts in seen.items()
        for title, value in facts.items()
        if (said := told.get(host, {}).get(title)) != value
    ]
    unseen = [f"of {host} what was not tried: it is not here." for host in told if host not in seen]
    return [*otherwise, *unseen]


def table_in(page: str) -> str:
    """Return the table between the two markers of a page."""
    return page.partition(_BEGIN)[2].partition(_END)[0].strip() + "\n"


def with_table(page: str, table: str) -> str:
    """Return the page with this table between its markers."""
    before, _, rest = page.partition(_BEGIN)
    after = rest.partition(_END)[2]
    return f"{before}{_BEGIN}\n\n{table}\n{_END}{after}"


def _by_host(rows: Sequence[Mapping[str, Any]]) -> dict[str, _Counts]:
    found: dict[str, _Counts] = {}
    for row in rows:
        one = found.setdefault(row["host"], _Counts())
        one.cases += row["cases"]
        one.passed += row["passed"]
        one.failed += row["failed"]
        one.excused.update(row["excused"])
        one.expected.update(row["expected_failures"])
    return found


def _numbers(counts: _Counts, needs: Sequence[str]) -> list[str]:
    return [str(counts.excused[need]) for need in needs]


def _with_letters(expected: Mapping[str, int], reasons: Sequence[str]) -> str:
    named = [f"{count} ({_letter(reasons.index(reason))})" for reason, count in expected.items()]
    return ", ".join(named) or "0"


def _letter(at: int) -> str:
    return chr(ord("a") + at)


def _relative_start(hosts: Mapping[str, Any], host: str) -> str:
    if host not in hosts or REFERENCE not in hosts:
        return ""
    return f"{hosts[host]['start_ms'] / hosts[REFERENCE]['start_ms']:.1f}"


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    # Words are aligned left, numbers right.
    rule = ["---" if title in (_HOST, _VERSION) else "---:" for title in titles]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in [titles, rule, *rows])


def _rows_in(table: str) -> Iterator[dict[str, str]]:
    titles: list[str] = []
    for line in table.splitlines():
        if not line.startswith("| "):
            titles = []
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if titles and not cells[0].startswith("---"):
            yield dict(zip(titles, cells, strict=True))
        titles = titles or cells
