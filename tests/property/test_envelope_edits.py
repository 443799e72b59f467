"""The tools of the envelope family that change, against plain models of their specification."""

import difflib
import os
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from treeglass import Config, ToolRegistry, ToolResult, Workspace
from treeglass.tools.envelope.changes.preview import count_lines, unified_diff

LINE_ENDS = ["\n", "\r\n", "\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]
TEXTS = st.lists(st.sampled_from(["a", "b", "ab", " ", "+", "--", "é", "\U0001f642", *LINE_ENDS]))
SMALL = st.lists(st.sampled_from(["a", "b", "\n", "\r\n", "\r"]), max_size=12).map("".join)
REPLACEMENTS = st.tuples(
    st.lists(st.sampled_from(["a", "b", "\n", "\r\n"]), min_size=1, max_size=4).map("".join), SMALL
)
CONFIG = Config.from_object(
    {"tools": {"offered": ["Read", "Write", "Edit", "MultiEdit"], "approval": {"mode": "auto"}}}
)


class Answer:
    """The answer to one call over a folder with one file, and what the file is then."""

    def __init__(self, old: bytes | None, tool: str, **arguments: Any) -> None:
        with tempfile.TemporaryDirectory() as folder:
            if old is not None:
                Path(folder, "f").write_bytes(old)
                os.utime(Path(folder, "f"), (0, 0))
                arguments = {"expected_mtime_ms": 0, "expected_size_bytes": len(old), **arguments}
            workspace = Workspace({"/repo": folder})
            registry = ToolRegistry(workspace, CONFIG)
            self.result: ToolResult = registry.call_tool(tool, {"path": "f", **arguments})
            proposal = workspace.overlay.record.proposals.get("/repo/f")
            self.content = getattr(proposal and proposal.after, "content", old)
        envelope = self.result.structured_content or {}
        self.data, self.stats, self.text = envelope["data"], envelope["stats"], envelope["text"]


def preview_model(old: str, new: str, *, is_edit: bool) -> tuple[str, bool, int, int]:
    """Return the preview, whether it is cut, and the counts, as the specification says it."""
    taken: list[str] = []
    added = removed = 0
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    for whole in difflib.unified_diff(before, after, "a/f", "b/f"):
        added += whole[0] == "+" and whole[:3] != "+++"
        removed += whole[0] == "-" and whole[:3] != "---"
        piece = whole[0] + whole[1:].lstrip() if is_edit and whole[0] in "+-" else whole
        if len(taken) >= 100 or len("".join([*taken, piece]).encode()) > 10_240:
            return "\n".join(taken) + "\n... (truncated)", True, added, removed
        taken.append(piece)
    return "\n".join(taken), False, added, removed


def assert_preview(answer: Answer, old: str, new: str, *, is_edit: bool = False) -> None:
    shown, is_cut, added, removed = preview_model(old, new, is_edit=is_edit)
    assert (answer.data["diff_preview"], answer.data["diff_truncated"]) == (shown, is_cut)
    assert (answer.stats["lines_added"], answer.stats["lines_removed"]) == (added, removed)


@given(TEXTS.map("".join))
def test_lines_are_counted_as_python_splits_them(text: str) -> None:
    assert count_lines(text) == len(text.splitlines())


@given(st.data())
@settings(max_examples=200)
def test_a_diff_has_the_pieces_of_the_standard_library(data: st.DataObject) -> None:
    lines = st.sampled_from("abcdefgh"[: data.draw(st.integers(1, 8))]).map("{}\n".format)
    old = data.draw(st.lists(lines, max_size=60)) * data.draw(st.sampled_from([1, 1, 5]))
    new = old[:]
    for _ in range(data.draw(st.integers(0, 8))):
        at = data.draw(st.integers(0, len(new)))
        new[at : at + data.draw(st.integers(0, 2))] = data.draw(st.lists(lines, max_size=2))

    ours = list(unified_diff(old, new, "f", lambda: None))

    assert ours == list(difflib.unified_diff(old, new, "a/f", "b/f"))


@given(st.none() | TEXTS.map("".join), TEXTS.map("".join))
@settings(max_examples=100)
def test_write_answers_as_its_specification_says(old: str | None, new: str) -> None:
    answer = Answer(None if old is None else old.encode(), "Write", content=new)

    assert answer.content == new.encode()
    shown = "" if old is None else old.replace("\r\n", "\n").replace("\r", "\n")
    assert_preview(answer, shown, new)
    size, lines = len(new.encode()), len(new.splitlines())
    counts = f"+{answer.stats['lines_added']}/-{answer.stats['lines_removed']}"
    assert answer.text.split("\n")[0] == (
        f"Created 'f' ({lines} lines, {size} bytes)."
        if old is None
        else f"Updated 'f' ({counts} lines, {size} bytes)."
    )


@given(SMALL, REPLACEMENTS)
@settings(max_examples=200)
def test_edit_answers_as_its_specification_says(old: str, replacement: tuple[str, str]) -> None:
    searched, put_in = (text.replace("\r\n", "\n") for text in replacement)
    text = old.replace("\r\n", "\n")
    occurrences = text.count(searched)

    answer = Answer(old.encode(), "Edit", old_string=replacement[0], new_string=replacement[1])

    if occurrences != 1:
        words = f"matches {occurrences} times in file. It must" if occurrences else "not found in"
        assert answer.text.startswith(f"old_string {words} ")
        assert answer.content == old.encode()
        return
    expected = text.replace(searched, put_in, 1)
    if 2 * old.count("\r\n") > old.count("\n"):
        expected = expected.replace("\n", "\r\n")
    assert answer.content == expected.encode()
    assert_preview(answer, old, expected, is_edit=True)


@given(SMALL, st.lists(REPLACEMENTS, min_size=1, max_size=3))
@settings(max_examples=300)
def test_multi_edit_answers_as_its_specification_says(
    old: str, replacements: list[tuple[str, str]]
) -> None:
    text = old.replace("\r\n", "\n")
    answer = Answer(
        old.encode(),
        "MultiEdit",
        edits=[{"old_string": old_string, "new_string": new} for old_string, new in replacements],
    )

    places = []
    for index, (old_string, new) in enumerate(replacements):
        searched = old_string.replace("\r\n", "\n")
        if text.count(searched) != 1:
            assert answer.data == {"failed_index": index}
            assert answer.text.startswith(f"Edit at index {index}: old_string ")
            return
        start = text.index(searched)
        places.append((start, index, start + len(searched), new.replace("\r\n", "\n")))
    places.sort()
    for (_, first, end, _), (start, second, _, _) in pairwise(places):
        if end > start:
            assert answer.data == {"failed_index": second}
            assert answer.text.startswith(f"Edits at index {first} and {second} have overlapping ")
            return
    expected = text
    for start, _, end, new in reversed(places):
        expected = expected[:start] + new + expected[end:]
    if 2 * old.count("\r\n") > old.count("\n"):
        expected = expected.replace("\n", "\r\n")
    assert answer.content == expected.encode()
    assert_preview(answer, old, expected)
