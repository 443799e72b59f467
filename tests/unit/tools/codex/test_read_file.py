from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from treeglass import Config, ToolRegistry, ToolResult, Workspace
from treeglass.tools.codex.arguments import ReadFileArgs
from treeglass.tools.codex.definitions import READ_FILE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

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


def test_a_file_that_fits_is_not_truncated(make_tree: MakeTree) -> None:
    result = read_file(make_tree({"f": "one\r\n\ttwo\n\nfour"}))

    assert result.content == "L1: one\nL2: \ttwo\nL3: \nL4: four"
    assert (result.truncated, result.next_arguments, result.warnings) == (False, None, ())
    assert (result.structured_content, result.error) == (None, None)


def test_the_default_limit_is_2000_lines(make_tree: MakeTree) -> None:
    result = read_file(make_tree({"f": rows(2001)}))

    assert result.content == listed(1, 2000)
    assert result.truncated
    assert result.next_arguments == {"file_path": "/repo/f", "offset": 2001}


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


def test_a_slice_over_the_budget_shows_fewer_whole_lines(make_tree: MakeTree) -> None:
    root = make_tree({"f": rows(9)})

    result = read_file(root, offset=2, budget_bytes=len(listed(2, 5)) - 1)

    assert result.content == listed(2, 4)
    assert result.truncated
    assert result.next_arguments == {"file_path": "/repo/f", "offset": 5}


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


STAIRS = "a\n    b\n        c\n            d\n                e\n                    f\n"


@pytest.mark.parametrize(
    ("defaults", "rules", "first"),
    [
        pytest.param({}, {}, 2, id="four levels are the documented default"),
        pytest.param({"max_levels_default": 0}, {}, 1, id="a configured default of all levels"),
        pytest.param({"max_levels_default": 1}, {}, 5, id="a configured default of one"),
        pytest.param({"max_levels_default": 1}, {"max_levels": 2}, 4, id="the call decides"),
        pytest.param({"max_levels_default": 1}, {"max_levels": 0}, 1, id="also for all levels"),
    ],
)
def test_how_many_levels_are_shown(
    make_tree: MakeTree, defaults: dict[str, Any], rules: dict[str, Any], first: int
) -> None:
    lines = STAIRS.splitlines()[first - 1 :]

    result = read_block(make_tree({"f": STAIRS}), 6, defaults=defaults, **rules)

    assert result.content == "\n".join(
        f"L{number}: {line}" for number, line in enumerate(lines, first)
    )


@pytest.mark.parametrize(
    ("defaults", "rules", "first"),
    [
        pytest.param({}, {}, 2, id="no header is the documented default"),
        pytest.param({"include_header_default": True}, {}, 1, id="a configured default"),
        pytest.param({}, {"include_header": True}, 1, id="the call asks for it"),
        pytest.param(
            {"include_header_default": True}, {"include_header": False}, 2, id="the call does not"
        ),
    ],
)
def test_whether_the_comment_above_a_block_is_shown(
    make_tree: MakeTree, defaults: dict[str, Any], rules: dict[str, Any], first: int
) -> None:
    root = make_tree({"f": "# about f\ndef f():\n    return 1\n"})

    result = read_block(root, 3, defaults=defaults, **rules)

    assert result.content == "\n".join(
        ["L1: # about f", "L2: def f():", "L3:     return 1"][first - 1 :]
    )
    assert (result.truncated, result.next_arguments, result.warnings) == (False, None, ())


def test_the_offset_is_the_default_anchor(make_tree: MakeTree) -> None:
    result = read_file(make_tree({"f": STAIRS}), mode="indentation", offset=2, limit=LARGEST)

    assert result.content == "\n".join(
        f"L{number}: {line}" for number, line in enumerate(STAIRS.splitlines(), 1)
    )


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


def test_a_block_that_its_cap_just_holds_is_not_truncated(make_tree: MakeTree) -> None:
    result = read_block(make_tree({"f": rows(3)}), 2, include_siblings=True, limit=3)

    assert (result.content, result.truncated) == (listed(1, 3), False)


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


@pytest.mark.parametrize("mode", ["slice", "indentation"])
@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/repo/nothing", "No such file or directory (os error 2)"),
        ("/repo/out", "No such file or directory (os error 2)"),
        ("/dev/null", "No such file or directory (os error 2)"),
        ("/", "Is a directory (os error 21)"),
        ("/repo/dir", "Is a directory (os error 21)"),
        ("/repo/f/x", "Not a directory (os error 20)"),
    ],
)
def test_a_path_that_is_not_a_file_is_answered_as_linux_would(
    make_tree: MakeTree, mode: str, path: str, text: str
) -> None:
    root = make_tree({"f": "", "dir": None, "out": "-> /etc/passwd"})

    assert read_file(root, mode=mode, file_path=path).content == f"failed to read file: {text}"


def test_a_pipe_is_refused_without_waiting_for_a_writer(
    make_tree: MakeTree, make_pipe: Callable[[Path], None]
) -> None:
    root = make_tree({})
    make_pipe(root / "f")

    assert read_file(root).content == "failed to read file: not a regular file"


def test_the_summary_for_an_approver_names_the_file() -> None:
    assert (
        READ_FILE.approval_summary(ReadFileArgs(file_path="/repo/f"), Config())
        == "Read file /repo/f"
    )
