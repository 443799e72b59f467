"""The line that a person reads before approving a patch."""

import itertools

import pytest

from tests.unit.tools.codex.patch_calls import CHOSEN, add, delete, patch, update
from treeglass import Config, ToolRegistry, Workspace

REGISTRY = ToolRegistry(Workspace({}), Config.from_object({"tools": CHOSEN}))

SUMMARIES = [
    ([add("a.txt", "1", "2")], "Apply a patch, +2/-0: add a.txt"),
    (
        [update("a", "1", "2"), add("b", "1"), delete("c"), update("d", "1", "2", "e/../f")],
        "Apply a patch, +3/-2: delete c, move d to e/../f, update a, add b",
    ),
    ([delete("a\u202eb\\u{A}")], "Apply a patch, +0/-0: delete a\\u{202E}b\\u{A}"),
    ([["oops"]], "Apply a patch that cannot be read, which changes nothing"),
]


@pytest.mark.parametrize(("hunks", "summary"), SUMMARIES)
def test_a_person_sees_the_counts_and_what_happens_to_which_path(
    hunks: list[list[str]], summary: str
) -> None:
    text = patch(*itertools.chain(*hunks))

    assert REGISTRY.summarize_call("apply_patch", text) == summary


@pytest.mark.parametrize("length", [1, 20, 90, 190, 4000])
@pytest.mark.parametrize("count", [1, 2, 3, 40])
def test_a_summary_has_at_most_200_characters_and_counts_what_it_leaves_out(
    length: int, count: int
) -> None:
    hunks = [delete(f"{n}-{'x' * length}.txt") for n in range(count)]
    hunks.append(update("y" * length, "1", "2", f"z{length * 'z'}"))

    summary = REGISTRY.summarize_call("apply_patch", patch(*itertools.chain(*hunks)))

    assert summary is not None
    assert len(summary) <= 200
    assert summary.startswith("Apply a patch, +1/-1: delete 0-x")
    told = summary.count("delete ") + summary.count("move ")
    left = count + 1 - told
    assert summary.endswith(f", and {left} more" if left else "z")
