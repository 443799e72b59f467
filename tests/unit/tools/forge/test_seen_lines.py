import pytest

from treeglass.tools.forge.seen_lines import SeenLines, fault_of, lines_in

TEXT = b"one\ntwo\nthree\nfour\n"


def nothing() -> None:
    """Let the reading go on."""


def seen(content: bytes, first: int, last: int) -> SeenLines:
    found = lines_in(content, first, last, nothing)
    assert found is not None
    return found


def test_line_ends_and_a_missing_last_one_do_not_count() -> None:
    assert seen(TEXT, 2, 4) == seen(b"one\r\ntwo\nthree\r\nfour", 2, 4)
    assert seen(TEXT, 2, 4) != seen(b"one\ntwo\n\nthree\nfour\n", 2, 4)


def test_what_follows_the_range_does_not_count() -> None:
    assert seen(TEXT, 2, 3) == seen(b"one\ntwo\nthree\n\xff\r", 2, 3)


def test_a_range_behind_the_end_is_one_of_no_lines() -> None:
    assert seen(TEXT, 9, 12)[2:] == (seen(TEXT, 1, 4).within, seen(b"", 1, 0).within)


@pytest.mark.parametrize(("first", "last"), [(1, 2), (2, 2), (3, 3)])
def test_a_line_that_is_no_utf_8_has_no_hash(first: int, last: int) -> None:
    assert lines_in(b"one\n\xff\nthree\n", first, last, nothing) is None


@pytest.mark.parametrize(
    ("content", "touched", "fault"),
    [
        (TEXT, 2, None),
        (TEXT, 3, None),
        (TEXT, None, None),
        (b"one\ntwo\nthree\nFOUR\nfive", 2, None),
        (TEXT, 1, "Edit targets line 1 but only lines 2-3 were read"),
        (TEXT, 4, "Edit targets line 4 but only lines 2-3 were read"),
        (
            b"1\ntwo\nthree\n",
            2,
            "Content above line 2 changed since last read (lines may have shifted)",
        ),
        (b"one\n2\nthree\n", 3, "File content changed since last read"),
        (b"one\ntwo\n", None, "File content changed since last read"),
    ],
)
def test_a_file_may_be_edited_where_it_was_seen_and_is_the_same(
    content: bytes, touched: int | None, fault: str | None
) -> None:
    assert fault_of(seen(TEXT, 2, 3), content, touched, nothing) == fault
