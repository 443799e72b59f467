import random

import pytest

from treeglass.workspace.overlay.line_diff import LineChange, LineDiff, diff_lines, split_lines


def no_check() -> None:
    pass


def _changes(before: bytes, after: bytes) -> list[LineChange]:
    return diff_lines(before, after, no_check).changes


def _longest_common(old: list[bytes], new: list[bytes]) -> int:
    lengths = [0] * (len(new) + 1)
    for line in old:
        row = [0]
        for place, other in enumerate(new):
            best = lengths[place] + 1 if line == other else max(lengths[place + 1], row[place])
            row.append(best)
        lengths = row
    return lengths[-1]


def _is_whole(diff: LineDiff) -> bool:
    """Tell whether the lines between the changes are equal, and no two changes touch."""
    x = y = 0
    for change in diff.changes:
        kept = diff.before[x : change.before_start]
        if kept != diff.after[y : change.after_start] or not (kept or x == 0):
            return False
        x, y = change.before_end, change.after_end
    return diff.before[x:] == diff.after[y:]


def test_lines_end_at_a_line_feed_alone_and_keep_their_ends() -> None:
    assert split_lines(b"a\r\nb\rc\x0bd\x85\n\ne") == [b"a\r\n", b"b\rc\x0bd\x85\n", b"\n", b"e"]
    assert split_lines(b"") == []


@pytest.mark.parametrize("distinct", [1, 2, 4, 9])
def test_the_fewest_lines_change(distinct: int) -> None:
    chance = random.Random(distinct)  # noqa: S311  # the same texts each time

    for _ in range(500):
        sides = [
            b"".join(b"%d\n" % chance.randrange(distinct) for _ in range(chance.randrange(16)))
            for _ in range(2)
        ]
        diff = diff_lines(sides[0], sides[1], no_check)
        gone = sum(change.before_end - change.before_start for change in diff.changes)

        assert len(diff.before) - gone == _longest_common(diff.before, diff.after), sides
        assert _is_whole(diff), sides


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        pytest.param(b"", b"", [], id="nothing"),
        pytest.param(b"", b"a\n", [LineChange(0, 0, 0, 1)], id="a first line"),
        pytest.param(b"a\n", b"", [LineChange(0, 1, 0, 0)], id="the only line gone"),
        pytest.param(b"a\nb\nc\n", b"a\nX\nc\n", [LineChange(1, 2, 1, 2)], id="one line replaced"),
        pytest.param(b"a", b"a\n", [LineChange(0, 1, 0, 1)], id="a last line feed"),
        pytest.param(b"a\r\nb\r\n", b"a\r\nb\n", [LineChange(1, 2, 1, 2)], id="a CR gone"),
        pytest.param(
            b"f() {\n}\n",
            b"f() {\n}\ng() {\n}\n",
            [LineChange(2, 2, 2, 4)],
            id="a repeated end belongs to what was there",
        ),
        pytest.param(
            b"a\nb\na\nb\nz\n", b"a\nb\nz\n", [LineChange(2, 4, 2, 2)], id="the last of equal runs"
        ),
        pytest.param(
            b"x\na\na\ny\n",
            b"x\na\na\na\nZ\n",
            [LineChange(3, 4, 3, 5)],
            id="a run that reaches the next change joins it",
        ),
    ],
)
def test_a_change_stands_where_git_shows_it(
    before: bytes, after: bytes, changes: list[LineChange]
) -> None:
    assert _changes(before, after) == changes


def test_a_file_with_crlf_and_one_line_changed_has_one_change() -> None:
    before = b"".join(b"line %d\r\n" % number for number in range(500))

    changed = before.replace(b"line 250\r\n", b"line two-fifty\r\n")

    assert _changes(before, changed) == [LineChange(250, 251, 250, 251)]


def test_too_much_work_gives_one_coarse_change_between_the_common_ends() -> None:
    old = [b"%d\n" % number for number in range(300)]
    new = old.copy()
    random.Random(1).shuffle(new)  # noqa: S311  # the same order each time
    before, after = b"".join([b"head\n", *old, b"tail\n"]), b"".join([b"head\n", *new, b"tail\n"])

    coarse = diff_lines(before, after, no_check, max_steps=10_000)
    fine = diff_lines(before, after, no_check)

    assert (coarse.is_coarse, coarse.changes) == (True, [LineChange(1, 301, 1, 301)])
    assert (fine.is_coarse, len(fine.changes) > 20) == (False, True)


def test_lines_that_one_side_lacks_cost_no_steps() -> None:
    before = b"".join(b"old %d\n" % number for number in range(50_000))
    after = b"".join(b"new %d\n" % number for number in range(50_000))

    diff = diff_lines(before, after, no_check, max_steps=1)

    assert (diff.is_coarse, diff.changes) == (False, [LineChange(0, 50_000, 0, 50_000)])


def test_a_checkpoint_ends_the_search() -> None:
    before = b"".join(b"%d\n" % (number % 7) for number in range(1000))
    after = b"".join(b"%d\n" % (number % 5) for number in range(1000))

    def ended() -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        diff_lines(before, after, ended)
