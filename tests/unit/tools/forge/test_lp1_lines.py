import pytest

from treeglass.tools.forge.changes.lp1_lines import (
    FileLines,
    first_touched_line,
    lines_of,
    place_of,
)
from treeglass.tools.forge.changes.lp1_patch import Lp1Invalid, parse_patch


def nothing() -> None:
    """Let the search go on."""


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
