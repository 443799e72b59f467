from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from treeglass import Config, ToolRegistry, ToolResult, Workspace

MakeTree = Callable[[Mapping[str, str | bytes | None]], Path]
LARGEST = 2**64 - 1


def read_file(
    root: Path | Workspace,
    *,
    budget_bytes: int | None = None,
    defaults: dict[str, Any] | None = None,
    **arguments: Any,
) -> ToolResult:
    """Call the tool on `/repo/f` of a tree mounted at `/repo`."""
    workspace = root if isinstance(root, Workspace) else Workspace({"/repo": root})
    config = Config.from_object({"tools": {"read_file": defaults or {}}})
    sent = {"file_path": "/repo/f", **arguments}
    return ToolRegistry(workspace, config).call_tool(
        "read_file", sent, max_output_bytes=budget_bytes
    )


def read_block(root: Path | Workspace, anchor_line: int, **arguments: Any) -> ToolResult:
    """Call the tool in indentation mode; rules of the block have their own names."""
    outside = {"budget_bytes", "defaults", "limit", "offset"}
    rules = {name: value for name, value in arguments.items() if name not in outside}
    rest = {name: value for name, value in arguments.items() if name in outside}
    indentation = {"anchor_line": anchor_line, **rules}
    return read_file(root, mode="indentation", indentation=indentation, **rest)


def rows(count: int) -> str:
    return "".join(f"row {number}\n" for number in range(1, count + 1))


def listed(first: int, last: int) -> str:
    return "\n".join(f"L{number}: row {number}" for number in range(first, last + 1))


def test_the_next_slice_keeps_what_the_caller_wrote_and_moves_the_offset(
    make_tree: MakeTree,
) -> None:
    result = read_file(
        make_tree({"f": rows(9)}), offset=3, limit=4, mode="slice", indentation=None, hint=1
    )

    assert result.content == listed(3, 6)
    assert result.next_arguments == {
        "file_path": "/repo/f",
        "offset": 7,
        "limit": 4,
        "mode": "slice",
    }


@pytest.mark.parametrize("content", [rows(5), rows(5)[:-1]], ids=["final LF", "no final LF"])
def test_a_slice_that_ends_on_the_last_line_is_not_truncated(
    make_tree: MakeTree, content: str
) -> None:
    result = read_file(make_tree({"f": content}), offset=4, limit=2)

    assert (result.content, result.truncated) == (listed(4, 5), False)


def test_the_largest_limit_and_offset_are_harmless(make_tree: MakeTree) -> None:
    root = make_tree({"f": rows(5)})

    assert read_file(root, offset=5, limit=LARGEST).content == listed(5, 5)
    assert read_file(root, offset=LARGEST).content == "offset exceeds file length"
    assert read_block(root, LARGEST).content == "anchor_line exceeds file length"
    assert read_block(
        root, 3, limit=LARGEST, max_lines=LARGEST, max_levels=LARGEST
    ).content == listed(2, 4)


@pytest.mark.parametrize("arguments", [{}, {"mode": "indentation"}], ids=["slice", "block"])
def test_a_budget_without_room_for_one_line_is_an_error(
    make_tree: MakeTree, arguments: dict[str, Any]
) -> None:
    result = read_file(make_tree({"f": "ééé\n"}), budget_bytes=9, **arguments)

    assert result.content == (
        "output budget too small: the smallest answer takes 10 bytes, "
        "9 are left; call again with more room"
    )
    assert result.error is not None
    assert result.error.kind == "RespondToModel"


@pytest.mark.parametrize(
    ("content", "anchor_line", "shown", "offset"),
    [
        ("a\n\nb\n\nc\n", 3, "L3: b", 1),
        ("a\n\n\n\nb\n", 3, "", 1),
        ("a\n" + "\n" * 50 + "b\n", 30, "", 10),
    ],
    ids=["between blank lines", "on a blank line", "in the middle of nowhere"],
)
def test_a_tiny_block_offers_the_slice_around_its_anchor(
    make_tree: MakeTree, content: str, anchor_line: int, shown: str, offset: int
) -> None:
    size = "is that line alone" if shown else "holds no text"

    result = read_block(make_tree({"f": content}), anchor_line, limit=1000)

    assert (result.content, result.truncated) == (shown, False)
    assert result.next_arguments == {
        "file_path": "/repo/f",
        "mode": "slice",
        "offset": offset,
        "limit": 40,
    }
    (warning,) = result.warnings
    assert warning == (
        f"The block around line {anchor_line} {size}: the line is at the top level or between "
        f"blocks. To see what surrounds it, read with mode slice, offset {offset} and limit 40."
    )


def test_a_block_that_is_the_whole_file_is_not_called_tiny(make_tree: MakeTree) -> None:
    result = read_block(make_tree({"f": "\n"}), 1)

    assert (result.content, result.next_arguments, result.warnings) == ("L1: ", None, ())


@pytest.mark.parametrize("rule", ["limit", "max_lines"])
def test_a_block_cut_by_its_cap_goes_on_as_a_slice(make_tree: MakeTree, rule: str) -> None:
    expected: dict[str, Any] = {"file_path": "/repo/f", "mode": "slice", "offset": 7}
    if rule == "limit":
        expected["limit"] = 3

    result = read_block(make_tree({"f": rows(9)}), 5, include_siblings=True, **{rule: 3})

    assert (result.content, result.truncated) == (listed(4, 6), True)
    assert (result.next_arguments, result.warnings) == (expected, ())


def test_a_block_of_one_line_that_was_asked_for_is_not_called_tiny(make_tree: MakeTree) -> None:
    result = read_block(make_tree({"f": rows(9)}), 5, limit=1)

    assert (result.content, result.truncated, result.warnings) == ("L5: row 5", True, ())
    assert result.next_arguments == {
        "file_path": "/repo/f",
        "mode": "slice",
        "offset": 6,
        "limit": 1,
    }


def test_a_block_cut_at_the_end_of_the_file_offers_the_slice_before_it(
    make_tree: MakeTree,
) -> None:
    result = read_block(make_tree({"f": rows(9)}), 9, include_siblings=True, limit=4)

    assert (result.content, result.truncated) == (listed(6, 9), True)
    assert result.next_arguments == {
        "file_path": "/repo/f",
        "mode": "slice",
        "offset": 2,
        "limit": 4,
    }


def test_a_block_over_the_budget_is_that_of_a_smaller_cap(make_tree: MakeTree) -> None:
    root = make_tree({"f": rows(9)})
    smaller = read_block(root, 5, include_siblings=True, max_lines=4)

    result = read_block(root, 5, include_siblings=True, budget_bytes=len(listed(3, 7)) - 1)

    assert (result.content, smaller.content) == (listed(3, 6), listed(3, 6))
    assert result.truncated
    assert result.next_arguments == {"file_path": "/repo/f", "mode": "slice", "offset": 7}


def test_a_block_over_the_budget_has_at_least_its_anchor(make_tree: MakeTree) -> None:
    root = make_tree({"f": "\n\nanchor\n\n\nlong enough to be refused\n"})

    result = read_block(root, 3, include_siblings=True, budget_bytes=len("L3: anchor"))

    assert (result.content, result.truncated) == ("L3: anchor", True)
