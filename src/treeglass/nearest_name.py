"""Find the name that a misspelled one stands for."""

from __future__ import annotations

from collections.abc import Iterable

_MAX_CHANGES = 2
"""Most letters that a misspelling adds, leaves out or replaces; one for three of its letters."""


def nearest_name(said: str, known: Iterable[str]) -> str | None:
    """Return the known name that is spelled most like a name, or None; the case counts nothing.

    Example:
        >>> nearest_name("listdir", ["grep_files", "list_dir"])
        'list_dir'
        >>> nearest_name("rm", ["LS"])
    """
    limit = min(_MAX_CHANGES, len(said) // 3)
    near = [name for name in known if abs(len(name) - len(said)) <= limit]
    changes, nearest = min(
        ((_changes(said.casefold(), name.casefold()), name) for name in near),
        default=(limit + 1, None),
    )
    return nearest if changes <= limit else None


def _changes(one: str, other: str) -> int:
    """Return how many letters have to be added, left out or replaced to make one the other."""
    row = list(range(len(other) + 1))
    for count, letter in enumerate(one, 1):
        above, row = row, [count]
        for place, counterpart in enumerate(other):
            replaced = above[place] + (letter != counterpart)
            row.append(min(row[place] + 1, above[place + 1] + 1, replaced))
    return row[-1]
