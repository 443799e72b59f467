import io
from itertools import accumulate
from typing import BinaryIO

import pytest

from treeglass.workspace.lines import Line, MarkedFile, iter_lines, skip_lines

MEGABYTE = 1024 * 1024


def nothing() -> None:
    """Let the reading go on."""


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        pytest.param(b"", [], id="an empty file has no lines"),
        pytest.param(b"\n", [b""], id="a line feed ends one empty line"),
        pytest.param(b"a\nb\n", [b"a", b"b"], id="a final line feed opens no line"),
        pytest.param(b"a\nb", [b"a", b"b"], id="a last line without one counts"),
        pytest.param(b"a\r\nb\r\r\n", [b"a", b"b\r"], id="one CR before a line feed is dropped"),
        pytest.param(b"a\rb\r", [b"a\rb\r"], id="other CRs stay"),
        pytest.param(b"a\x0bb\x0cc\xc2\x85d", [b"a\x0bb\x0cc\xc2\x85d"], id="nothing else ends"),
    ],
)
def test_lines_end_at_line_feeds_only(content: bytes, lines: list[bytes]) -> None:
    found = list(iter_lines(io.BytesIO(content), 100, nothing))

    assert found == [Line(line, is_cut=False) for line in lines]
    assert skip_lines(io.BytesIO(content), 100, nothing) == len(lines)


@pytest.mark.parametrize(
    ("content", "line"),
    [
        pytest.param(b"abcd\n", Line(b"abcd", is_cut=False), id="exactly the head"),
        pytest.param(b"abcd\r\n", Line(b"abcd", is_cut=False), id="the head and its ending"),
        pytest.param(b"abc\r\n", Line(b"abc", is_cut=False), id="CR in the head, LF after it"),
        pytest.param(b"abcde\n", Line(b"abcd", is_cut=True), id="one byte more"),
        pytest.param(b"abcd", Line(b"abcd", is_cut=False), id="the end of the file"),
        pytest.param(b"abcd" + b"x" * 3 * MEGABYTE, Line(b"abcd", is_cut=True), id="megabytes"),
    ],
)
def test_only_the_head_of_a_long_line_is_kept(content: bytes, line: Line) -> None:
    assert list(iter_lines(io.BytesIO(content), 4, nothing)) == [line]
    ended = content if content.endswith(b"\n") else content + b"\n"
    assert list(iter_lines(io.BytesIO(ended + b"z\n"), 4, nothing)) == [
        line,
        Line(b"z", is_cut=False),
    ]


@pytest.mark.parametrize("count", [0, 1, 2, 5, 70_000, 99_999, 100_000])
def test_skipping_leaves_the_file_at_the_next_line(count: int) -> None:
    file = io.BytesIO(b"".join(b"line %d of many\n" % number for number in range(100_000)))

    assert skip_lines(file, count, nothing) == count
    expected = b"" if count == 100_000 else b"line %d of many\n" % count
    assert file.readline() == expected


@pytest.mark.parametrize("end", [b"", b"no end"])
def test_marks_change_neither_the_count_nor_the_position(end: bytes) -> None:
    # Every block but one ends within a line, and one holds no line feed.
    content = b"".join(b"line %d of many\n" % number for number in range(200_000))
    content = content[: 2 * MEGABYTE] + b"x" * 2 * MEGABYTE + b"\n" + content + end
    marks: list[tuple[int, int]] = []

    def skipped(file: BinaryIO, count: int) -> tuple[int, bytes]:
        return skip_lines(file, count, nothing), file.read(30)

    for count in (1, 110_000, 250_000, 116_000, 400_000, 0, 300_000, 110_000):
        marked = MarkedFile(io.BytesIO(content))
        marked.marks = marks
        assert skipped(marked, count) == skipped(io.BytesIO(content), count)

    assert marks == sorted(set(marks))
    assert all(content[:at].count(b"\n") == count for count, at in marks)


def test_skipping_past_the_end_tells_how_many_lines_were_skipped() -> None:
    assert skip_lines(io.BytesIO(b"a\nb\nc"), 9, nothing) == 3


def test_every_block_is_a_checkpoint() -> None:
    class GaveUpError(Exception):
        pass

    def give_up() -> None:
        raise GaveUpError

    with pytest.raises(GaveUpError):
        skip_lines(io.BytesIO(b"x" * 9), 1, give_up)
    with pytest.raises(GaveUpError):
        list(iter_lines(io.BytesIO(b"x" * 2 * MEGABYTE), 10, give_up))


def test_lines_of_any_length_are_skipped_to_the_start_of_the_next_one() -> None:
    lengths = [0, 1, 2, 0, 0, 700, 3_000, 1, 1_500, 0, 5]
    lines = [b"x" * lengths[number % len(lengths)] + b"\n" for number in range(400)]
    starts = [0, *accumulate(map(len, lines))]

    found = []
    for count in range(len(lines) + 1):
        file = io.BytesIO(b"".join(lines))
        found.append((skip_lines(file, count, nothing), file.tell()))

    assert found == list(enumerate(starts))
