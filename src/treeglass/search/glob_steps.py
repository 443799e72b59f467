"""The steps of a glob, which an automaton can take, and the sets of bytes that they accept."""

from __future__ import annotations

from typing import NamedTuple

MAX_PLACES = 100_000
"""Most places of one automaton: of one glob, a list of globs or an ignore file.

Each character of a glob is a place, once for each of its alternatives.
"""

EVERY_BYTE = (1 << 256) - 1
"""The set of all bytes, as `Step.accepted` has it."""


class GlobInvalid(ValueError):
    """A glob that cannot be parsed; the text is the reason, in globset's words."""


class GlobTooLarge(GlobInvalid):
    """A glob, a list of globs or an ignore file above a ceiling; the text names the ceiling."""

    @classmethod
    def of_places(cls) -> GlobTooLarge:
        """Return the error for more than `MAX_PLACES`."""
        return cls(f"more than {MAX_PLACES:,} characters with its alternatives written out")


class Step(NamedTuple):
    """One step through a pattern."""

    accepted: int
    """The bytes that it takes: bit N stands for byte N."""
    repeats: bool = False
    """True if it takes any number of them, also none."""


Steps = tuple[Step, ...]

FOLDERS = Step(0)
"""Takes any number of whole names, each with the slash behind it, also none."""


def bytes_in(values: bytes) -> int:
    """Return the set of these bytes, as `Step.accepted` has it."""
    accepted = 0
    for value in values:
        accepted |= 1 << value
    return accepted


def bytes_from(first: int, last: int) -> int:
    """Return the set of the bytes from the first to the last, both included."""
    return (1 << last + 1) - (1 << first) if first <= last else 0


NO_SLASH = EVERY_BYTE & ~bytes_in(b"/")


def ignoring_case(alternatives: list[Steps]) -> list[Steps]:
    """Return the alternatives with every ASCII letter taken in both cases."""
    return [
        # `FOLDERS` is told from other steps by its identity.
        tuple(
            step if step is FOLDERS else step._replace(accepted=_in_both_cases(step.accepted))
            for step in steps
        )
        for steps in alternatives
    ]


def _in_both_cases(accepted: int) -> int:
    upper = bytes_from(ord("A"), ord("Z"))
    lower = upper << 32
    return accepted | (accepted & upper) << 32 | (accepted & lower) >> 32
