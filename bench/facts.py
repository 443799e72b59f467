"""The figures of a part as they were measured: kept as JSON, from which the report is made."""

from __future__ import annotations

import json
import statistics
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

RAW = Path(__file__).parent / "raw"
"""A JSON file for each part, beside the report."""

Value: TypeAlias = "float | str | list[float]"
"""One figure, a text such as the reason why there is no figure, or the times of many calls."""

Round: TypeAlias = "dict[str, dict[str, dict[str, Value]]]"
"""The figures of one round by case, candidate and quantity; a quantity ends with its unit."""


class Facts(NamedTuple):
    """Everything that one run of a part measured."""

    command: str
    about: list[str]
    """Versions, for the head of the report."""
    cores: int
    loads: list[float]
    """The machine's load averages before the first round and after the last."""
    rounds: list[Round]

    def value(self, number: int, case: str, by: str, what: str) -> Value | None:
        """Return what one round measured, or None."""
        return self.rounds[number].get(case, {}).get(by, {}).get(what)

    def values(self, case: str, by: str, what: str) -> list[float]:
        """Return one figure for each round that has it; of many calls the median."""
        found = self._by_round(case, by, what)
        return [value for value in found if value is not None]

    def lists(self, case: str, by: str, what: str) -> list[list[float]]:
        """Return the times of many calls, one list for each round that has them."""
        found = (self.value(number, case, by, what) for number in range(len(self.rounds)))
        return [value for value in found if isinstance(value, list) and value]

    def ratios(self, ours: Sequence[str], theirs: Sequence[str]) -> list[float]:
        """Return ours to theirs of each round that has both.

        Args:
            ours: The case, the candidate and the quantity.
            theirs: The same three.
        """
        pairs = zip(self._by_round(*ours), self._by_round(*theirs), strict=True)
        return [mine / other for mine, other in pairs if mine is not None and other]

    def texts(self, case: str, by: str, what: str) -> list[str]:
        """Return what rounds have instead of a figure, such as the reason why it is missing."""
        found = (self.value(number, case, by, what) for number in range(len(self.rounds)))
        return [value for value in found if isinstance(value, str)]

    def candidates(self, case: str) -> list[str]:
        """Return the measured candidates of a case, in the order of the report."""
        return list(dict.fromkeys(by for each in self.rounds for by in each.get(case, {})))

    def cases(self) -> list[str]:
        """Return the measured cases, in the order of the report."""
        return list(dict.fromkeys(case for each in self.rounds for case in each))

    def _by_round(self, case: str, by: str, what: str) -> list[float | None]:
        found = (self.value(number, case, by, what) for number in range(len(self.rounds)))
        return [_middle(value) for value in found]


def _middle(value: Value | None) -> float | None:
    if isinstance(value, list):
        return statistics.median(value) if value else None
    return None if isinstance(value, str) else value


def write_facts(part: str, facts: Facts) -> None:
    """Replace the figures of one part."""
    RAW.mkdir(exist_ok=True)
    # A line for each case, so that a change of one can be read.
    rounds = ",\n  ".join(
        "{\n    "
        + ",\n    ".join(f"{json.dumps(case)}: {json.dumps(found)}" for case, found in each.items())
        + "\n  }"
        for each in facts.rounds
    )
    head = json.dumps({**facts._asdict(), "rounds": []}, indent=2)
    text = head.replace('"rounds": []', f'"rounds": [{rounds}]')
    _file(part).write_text(f"{text}\n", "utf-8", newline="\n")


def read_facts(part: str) -> Facts | None:
    """Return the figures of one part, or None if it was never written."""
    file = _file(part)
    return Facts(**json.loads(file.read_text("utf-8"))) if file.is_file() else None


def _file(part: str) -> Path:
    return RAW / f"{part}.json"
