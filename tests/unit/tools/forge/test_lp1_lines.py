from __future__ import annotations

import pytest

from treeglass.tools.forge.changes.lp1_lines import (
    FileLines,
    apply_operations,
    first_touched_line,
    lines_of,
    place_of,
)
from treeglass.tools.forge.changes.lp1_patch import Lp1Invalid, parse_patch


def nothing() -> None:
    """Let the search go on."""


def edited(content: str, *lines: str) -> str:
    [section] = parse_patch("\n".join(["LP1", "F a", *lines, "END"]), nothing)
    file = lines_of(content.encode())
    apply_operations(file, section.operations, nothing)
    assert file.size_bytes == len(file.content())
    return file.content().decode()


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"", FileLines([])),
        (b"a", FileLines(["a"])),
        (b"a\n\nb\n", FileLines(["a", "", "b"], ends_last=True)),
        (b"\n", FileLines([""], ends_last=True)),
        (b"a\r\nb", FileLines(["a", "b"], line_end="\r\n")),
        (b"a\r\nb\n", FileLines(["a", "b"], ends_last=True)),
        (b"a\r\nb\nc\r\n", FileLines(["a", "b", "c"], ends_last=True, line_end="\r\n")),
        ("\ufeffé\0\u2028x\n".encode(), FileLines(["\ufeffé\0\u2028x"], ends_last=True)),
    ],
)
def test_a_file_is_its_lines_and_the_kind_of_line_end_that_occurs_more(
    content: bytes, lines: FileLines
) -> None:
    assert lines_of(content) == lines


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"a\rb\n", "Bare CR in file"),
        (b"a\n\r", "Bare CR in file"),
        (b"a\r\r\n", "Bare CR in file"),
        (b"a\xff\n", "Invalid UTF-8 in file"),
        (b"\xc3\n\xa9", "Invalid UTF-8 in file"),
        (b"a\xff\nb\rc", "Invalid UTF-8 in file"),
        (b"\xffb\rc\n", "Bare CR in file"),
        (b"\xffb\rc", "Bare CR in file"),
    ],
)
def test_of_two_faults_of_a_file_the_first_is_told(content: bytes, fault: str) -> None:
    with pytest.raises(Lp1Invalid, match=f"^{fault}$"):
        lines_of(content)


@pytest.mark.parametrize(
    ("content", "lines", "after"),
    [
        ("a\nb\nc\n", ("R", "b", ".", "x", "y", "."), "a\nx\ny\nc\n"),
        ("a\nb\nc\n", ("I", "b", ".", "x", "."), "a\nb\nx\nc\n"),
        ("a\nb\nc\n", ("P", "b", ".", "x", "."), "a\nx\nb\nc\n"),
        ("a\nb\nc\n", ("E", "b", "c", "."), "a\n"),
        ("a\nb", ("T", "x", "."), "a\nb\nx"),
        ("a\nb", ("B", "x", "."), "x\na\nb"),
        ("", ("B", "x", ".", "T", "y", ".", "N+"), "x\ny\n"),
        ("a\r\nb\n", ("N-",), "a\nb"),
        ("a\r\n", ("T", "b", "."), "a\r\nb\r\n"),
        ("a", ("N+", "N-", "N+"), "a\n"),
        ("", ("N+",), "\n"),
        ("\n", ("N-",), ""),
        ("a\n", ("E", "a", "."), ""),
        ("a\n", ("E", "a", ".", "T", "b", "."), "b\n"),
        ("a\n", ("R", "a", ".", "", ".", "N-"), ""),
        ("aa\naa\naa\n", ("E 2", "aa", "aa", "."), "aa\n"),
        ("a\nb\n", ("I 2", ".", "x", "."), "a\nx\nb\n"),
        ("a\nb\n", ("I 3", ".", "x", "."), "a\nb\nx\n"),
    ],
)
def test_operations_change_lines(content: str, lines: tuple[str, ...], after: str) -> None:
    assert edited(content, *lines) == after


@pytest.mark.parametrize(
    ("find", "occurrence", "fault"),
    [
        (["c"], None, "Match not found"),
        (["c"], 1, "Match not found"),
        (["a", "b", "a", "b"], None, "Match not found"),
        (["a"], None, "Match is not unique"),
        (["a"], 3, "Occurrence out of range"),
        (["a "], None, "Match not found"),
        ([], None, "Empty match requires occurrence"),
        ([], 5, "Occurrence out of range"),
    ],
)
def test_a_place_that_is_not_there_has_a_reason(
    find: list[str], occurrence: int | None, fault: str
) -> None:
    with pytest.raises(Lp1Invalid, match=f"^{fault}$"):
        place_of(["a", "b", "a"], find, occurrence, nothing)


def test_places_that_overlap_count_each() -> None:
    lines = ["x", "a", "a", "a", "b"]

    assert [place_of(lines, ["a", "a"], number, nothing) for number in (1, 2)] == [1, 2]


def test_a_search_in_repeated_lines_takes_time_for_each_line_once() -> None:
    lines = ["a"] * 200_000 + ["b"]

    assert place_of(lines, ["a"] * 100_000 + ["b"], None, nothing) == 100_000


def test_the_first_touched_line_is_the_smallest_of_those_that_fit() -> None:
    [section] = parse_patch("LP1\nF a\nE\nc\n.\nE\nb\n.\nE\nzzz\n.\nN+\nT\nx\n.\nEND", nothing)
    file = FileLines(["a", "b", "c"])

    assert first_touched_line(file, section.operations, nothing) == 2
    assert first_touched_line(file, section.operations[2:], nothing) is None


def test_the_beginning_of_a_file_is_its_first_line() -> None:
    [section] = parse_patch("LP1\nF a\nE\nc\n.\nB\nx\n.\nEND", nothing)

    assert first_touched_line(FileLines(["a", "c"]), section.operations, nothing) == 1
