"""Render the rounds of all hosts as a section of Markdown: ratios to a plain Pyodide."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from bench.figures import machine, spread, spread_ratios, table, told_runs
from bench.hosts.candidates import YARDSTICK
from bench.hosts.tasks import LISTED_FILES, WORKS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bench.hosts.sessions import Session

Round: TypeAlias = "dict[str, Session]"
"""The measurements of one round, by host."""

_METHOD = f"""\
Every session is a new process, or a page of a new browser process, \
in an order that changes from run to run.
A start is the time from there to the first answer: \
`list_dir` over 20 files, with {LISTED_FILES:,} more mounted beside them.
Of a process it is counted from its creation, of a page from its navigation, \
so that a browser's own start is not in it.
A call's figure is the mean of a session's calls after the first, \
since some hosts' clocks count whole milliseconds; \
workerd's stands still while it computes, so there it is taken from outside, \
less what a request takes that makes no call.
`plain` is the yardstick: `loadPyodide()` of the npm package `pyodide` under Node, \
the wheels loaded into it, the files written into its memory, \
and the bridge asked with no client and no thread between.
CPython and the hosts that end in `-directory` have the trees as folders of the machine, \
all others as entries.
A ratio is to `plain` in the same run, and every host gave the same answers."""


def render(rounds: Sequence[Round], *, loads: Sequence[float]) -> str:
    """Return the section's body.

    Args:
        rounds: At least one; each has the hosts in the order of the report.
        loads: The machine's load averages before the first run and after the last.
    """
    abouts = dict.fromkeys(session.about for session in rounds[-1].values())
    return "\n".join(
        [
            f"{', '.join(abouts)}; {machine(loads)}",
            told_runs(len(rounds)),
            _METHOD,
            "",
            *_ratios(rounds),
            "",
            *_times(rounds),
        ]
    )


def _columns() -> list[tuple[str, Callable[[Session], float]]]:
    return [
        ("start", lambda session: session.start_ms),
        *((work.label, _taken(index)) for index, work in enumerate(WORKS)),
    ]


def _taken(index: int) -> Callable[[Session], float]:
    def taken(session: Session) -> float:
        taken_ms: float = session.works[index]["takenMs"]
        return taken_ms

    return taken


def _ratios(rounds: Sequence[Round]) -> list[str]:
    rows = [
        [
            name,
            *(
                spread_ratios(
                    [measured(each[name]) for each in rounds],
                    [measured(each[YARDSTICK]) for each in rounds],
                )
                for _, measured in _columns()
            ),
        ]
        for name in rounds[0]
    ]
    return table(["As ratios to `plain`", *(label for label, _ in _columns())], rows)


def _times(rounds: Sequence[Round]) -> list[str]:
    rows = [
        [name, *(spread([get(each[name]) for each in rounds], "ms") for _, get in _columns())]
        for name in rounds[0]
    ]
    return table(["As they were", *(label for label, _ in _columns())], rows)
