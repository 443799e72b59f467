"""The names of the built-in tools, as a configuration may write them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple


class ToolName(NamedTuple):
    """A built-in tool as a configuration may name it."""

    family: str
    name: str
    is_default: bool = True
    """True if it is offered without a configuration."""
    may_stand_alone: bool = True
    """True if the name without its family means this tool, and not that of another family."""
    is_changing: bool = False
    """True if it proposes changes; such a tool is offered only by its name."""

    @property
    def spellings(self) -> tuple[str, ...]:
        """The names that a configuration may call it by, the full one first."""
        full = f"{self.family}.{self.name}"
        return (full, self.name) if self.may_stand_alone else (full,)


TOOL_NAMES: Final = (
    ToolName("envelope", "LS"),
    ToolName("envelope", "Read"),
    ToolName("envelope", "Glob"),
    ToolName("envelope", "Grep"),
    ToolName("forge", "list_directory"),
    ToolName("forge", "Search"),
    ToolName("forge", "Read", is_default=False, may_stand_alone=False),
    ToolName("forge", "Glob", is_default=False, may_stand_alone=False),
    ToolName("codex", "list_dir"),
    ToolName("codex", "read_file"),
    ToolName("codex", "grep_files"),
    ToolName("envelope", "Write", is_default=False, is_changing=True),
    ToolName("envelope", "Edit", is_default=False, is_changing=True),
    ToolName("envelope", "MultiEdit", is_default=False, is_changing=True),
    ToolName("forge", "Edit", is_default=False, may_stand_alone=False, is_changing=True),
    ToolName("forge", "Write", is_default=False, may_stand_alone=False, is_changing=True),
    ToolName("codex", "apply_patch", is_default=False, is_changing=True),
)
"""Every built-in tool; the names that this module takes follow from it."""

OF_CODEX = tuple(tool for tool in TOOL_NAMES if tool.family == "codex")
OF_OTHERS = tuple(tool for tool in TOOL_NAMES if tool.family != "codex")

CODEX_TOOLS: Final = tuple(tool.name for tool in OF_CODEX)
"""The tools that `experimental_supported_tools` may offer."""

FULL_NAMES: Final = tuple(tool.spellings[0] for tool in TOOL_NAMES)

POLICY_NAMES: Final = frozenset({*FULL_NAMES, *(tool.name for tool in TOOL_NAMES), "run_command"})
"""The names in a policy beside the offered tools: the other built-in ones, and the one of
other systems that a shared document denies by default."""


def names_in_configuration(family: str, name: str) -> tuple[str, ...]:
    """Return the names that a configuration may call a tool by, the full one first."""
    tool = next((tool for tool in TOOL_NAMES if tool[:2] == (family, name)), None)
    return (tool or ToolName(family, name)).spellings


def spellings(tools: Iterable[ToolName]) -> tuple[str, ...]:
    """Return every name of some tools, those without a family first."""
    names = [name for tool in tools for name in reversed(tool.spellings)]
    return (*(name for name in names if "." not in name), *(name for name in names if "." in name))


def read_by(tools: Iterable[ToolName], family: str) -> list[str]:
    """Return the shortest names of the tools of a family that only read."""
    return [tool.spellings[-1] for tool in tools if tool.family == family and not tool.is_changing]


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


def is_slip(said: str, name: str) -> bool:
    """Tell whether a name lacks a letter of another one, has one more, or has letters swapped.

    A letter that is another one may as well make another word; the case counts nothing.

    Example:
        >>> is_slip("listdir", "list_dir"), is_slip("raed_file", "read_file")
        (True, True)
        >>> is_slip("load_file", "read_file"), is_slip("lint_dir", "list_dir")
        (False, False)
    """
    shorter, longer = sorted((said.casefold(), name.casefold()), key=len)
    letters = iter(longer)
    is_part = all(letter in letters for letter in shorter)
    return sorted(shorter) == sorted(longer) or (is_part and len(longer) - len(shorter) == 1)


def _changes(one: str, other: str) -> int:
    """Return how many letters have to be added, left out or replaced to make one the other."""
    row = list(range(len(other) + 1))
    for count, letter in enumerate(one, 1):
        above, row = row, [count]
        for place, counterpart in enumerate(other):
            replaced = above[place] + (letter != counterpart)
            row.append(min(row[place] + 1, above[place + 1] + 1, replaced))
    return row[-1]
