import random

import pytest

from treeglass.errors import StaleHunk, UnknownHunk
from treeglass.workspace.nodes import File
from treeglass.workspace.overlay.hunks import FileDiff, Hunk, diff_of, rejected


def no_check() -> None:
    pass


def _numbered(count: int, **replaced: str) -> bytes:
    """Return lines `1` to `count`; `_3="x"` puts other text in place of a line."""
    lines = [replaced.get(f"_{number}", f"{number}\n") for number in range(1, count + 1)]
    return "".join(lines).encode()


def _diff(before: bytes | None, after: bytes | None, path: str = "a.txt") -> FileDiff:
    sides = [None if content is None else File(content) for content in (before, after)]
    return diff_of(sides[0], sides[1], path=path, checkpoint=no_check)


def _ranges(diff: FileDiff) -> list[tuple[int, int, int, int]]:
    return [
        (hunk.before_start, hunk.before_count, hunk.after_start, hunk.after_count)
        for hunk in diff.hunks
    ]


def _rejected(before: bytes | None, now: bytes | None, *keys: str) -> bytes | None:
    sides = [None if content is None else File(content) for content in (before, now)]
    return rejected(sides[0], sides[1], keys, path="a.txt", checkpoint=no_check)


def test_a_difference_is_data_with_three_lines_of_context() -> None:
    assert _diff(_numbered(9), _numbered(9, _5="five\n", _6="")) == FileDiff(
        path="a.txt",
        added=1,
        removed=2,
        hunks=(
            Hunk(
                key="90cdaf13f564e4d2:2,8:9c0157f16113:a.txt",
                before_start=2,
                before_count=8,
                after_start=2,
                after_count=7,
                lines=(
                    (" ", b"2\n"),
                    (" ", b"3\n"),
                    (" ", b"4\n"),
                    ("-", b"5\n"),
                    ("-", b"6\n"),
                    ("+", b"five\n"),
                    (" ", b"7\n"),
                    (" ", b"8\n"),
                    (" ", b"9\n"),
                ),
            ),
        ),
        is_coarse=False,
        flags={},
    )


def test_changes_with_six_lines_between_them_are_one_hunk_and_with_seven_two() -> None:
    before = _numbered(20)

    assert _ranges(_diff(before, _numbered(20, _5="x\n", _12="y\n"))) == [(2, 14, 2, 14)]
    assert _ranges(_diff(before, _numbered(20, _5="x\n", _13="y\n"))) == [
        (2, 7, 2, 7),
        (10, 7, 10, 7),
    ]


@pytest.mark.parametrize(
    ("before", "after", "ranges"),
    [
        pytest.param(None, b"a\nb\n", [(0, 0, 1, 2)], id="created"),
        pytest.param(b"", b"a\n", [(0, 0, 1, 1)], id="was empty"),
        pytest.param(b"a\n", None, [(1, 1, 0, 0)], id="gone"),
        pytest.param(None, b"", [], id="created empty"),
        pytest.param(b"a\r\nb\r\nc\r\n", b"a\r\nB\r\nc\r\n", [(1, 3, 1, 3)], id="CRLF"),
        pytest.param(b"a\0", b"b\0", [], id="no text"),
    ],
)
def test_ranges_count_as_gits_do(
    before: bytes | None, after: bytes | None, ranges: list[tuple[int, int, int, int]]
) -> None:
    assert _ranges(_diff(before, after)) == ranges


def test_a_file_that_was_created_is_not_one_that_was_empty() -> None:
    (created,) = _diff(None, b"a\n").hunks
    (filled,) = _diff(b"", b"a\n").hunks

    assert created.lines == filled.lines
    assert created.key != filled.key
    assert _rejected(None, b"a\n", created.key) is None
    assert _rejected(b"", b"a\n", filled.key) == b""


def test_equal_edits_at_two_places_have_different_keys() -> None:
    block = "a\nb\nc\nd\nold\nf\ng\nh\ni\n"
    before, after = (block * 2).encode(), (block * 2).replace("old", "new").encode()

    first, second = _diff(before, after).hunks

    assert first.lines == second.lines
    assert first.key != second.key
    assert _rejected(before, after, second.key) == after[: len(block)] + before[len(block) :]


def test_a_change_elsewhere_leaves_a_key_as_it_is() -> None:
    before = _numbered(40)
    (lower,) = _diff(before, _numbered(40, _30="x\n")).hunks

    later = _diff(before, _numbered(40, _2="two\nand a half\n", _30="x\n")).hunks

    assert [hunk.key for hunk in later][1] == lower.key


def test_hunks_are_taken_back_alone_or_together() -> None:
    before, now = _numbered(30), _numbered(30, _2="", _15="x\ny\n", _29="z\n")
    first, second, third = (hunk.key for hunk in _diff(before, now).hunks)

    assert _rejected(before, now) == now
    assert _rejected(before, now, second) == _numbered(30, _2="", _29="z\n")
    assert _rejected(before, now, third, first) == _numbered(30, _15="x\ny\n")
    assert _rejected(before, now, first, second, third) == before


def test_a_file_that_is_gone_stays_so_until_its_hunk_is_taken_back() -> None:
    (hunk,) = _diff(b"a\nb", None).hunks

    assert _rejected(b"a\nb", None) is None
    assert _rejected(b"a\nb", None, hunk.key) == b"a\nb"


@pytest.mark.parametrize(
    ("before", "now"),
    [
        pytest.param(_numbered(30, _1="other\n"), _numbered(30, _1="other\n", _9="x\n"), id="base"),
        pytest.param(_numbered(30), _numbered(30, _9="y\n"), id="lines"),
        pytest.param(_numbered(30), _numbered(30), id="taken back"),
        pytest.param(_numbered(30), None, id="gone"),
        pytest.param(_numbered(30), b"\0", id="no text now"),
    ],
)
def test_a_key_of_another_base_or_of_other_lines_is_stale(before: bytes, now: bytes | None) -> None:
    (hunk,) = _diff(_numbered(30), _numbered(30, _9="x\n")).hunks

    with pytest.raises(StaleHunk) as raised:
        _rejected(before, now, hunk.key)

    assert str(raised.value) == (
        "a.txt has changed since this hunk was shown; look at its newest diff"
    )


def test_one_stale_key_takes_nothing_back() -> None:
    before, now = _numbered(30), _numbered(30, _9="x\n", _20="y\n")
    (old,) = _diff(before, _numbered(30, _9="z\n")).hunks
    current = _diff(before, now).hunks[1].key

    with pytest.raises(StaleHunk):
        _rejected(before, now, current, old.key)


@pytest.mark.parametrize("key", ["", "7", "none:0,0:000000000000:b.txt", "a.txt"])
def test_a_key_that_is_none_or_of_another_file_is_unknown(key: str) -> None:
    with pytest.raises(UnknownHunk) as raised:
        _rejected(b"a\n", b"b\n", key)

    assert str(raised.value) == (
        f"no hunk has the key {key!r}; take a key from the file's newest diff"
    )


def test_a_file_that_takes_too_long_is_one_coarse_hunk_that_can_be_taken_back() -> None:
    lines = [b"%d\n" % number for number in range(4000)]
    other = lines.copy()
    random.Random(1).shuffle(other)  # noqa: S311  # the same order each time
    before, now = b"".join(lines), b"".join(other)

    diff = _diff(before, now)

    assert (diff.is_coarse, diff.added, diff.removed) == (True, 4000, 4000)
    assert _rejected(before, now, *(hunk.key for hunk in diff.hunks)) == before
