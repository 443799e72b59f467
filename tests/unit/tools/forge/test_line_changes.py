import time

import pytest

from treeglass.errors import CallCancelled
from treeglass.tools.forge.changes.line_changes import differences, line_count, shown_changes
from treeglass.tools.forge.changes.line_script import MAX_STEPS


def nothing() -> None:
    """Let the comparison go on."""


def marked(old: str, new: str, max_steps: int = MAX_STEPS) -> str:
    """Return the old letters, `[]` around those taken out and `{}` around those put in."""
    shown, at = "", 0
    for old_start, old_end, new_start, new_end in differences(old, new, nothing, max_steps):
        shown += old[at:old_start]
        shown += f"[{old[old_start:old_end]}]" if old_end > old_start else ""
        shown += f"{{{new[new_start:new_end]}}}" if new_end > new_start else ""
        at = old_end
    return shown + old[at:]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", ""),
        ("abc", "abc", "abc"),
        ("", "ab", "{ab}"),
        ("ab", "", "[ab]"),
        ("aa", "aaa", "aa{a}"),
        ("abab", "ababab", "abab{ab}"),
        ("ab", "axxb", "a{xx}b"),
        ("xyxyz", "xyz", "xy[xy]z"),
        ("xyz", "xyxyz", "xy{xy}z"),
        ("abc", "wxyzu", "[abc]{wxyzu}"),
        ("abcabba", "cbabac", "[ab]c[a]b{a}ba{c}"),
        ("bbbbab", "babaabba", "b{a}b{aa}bba[b]"),
        ("ccbabcc", "abbcccb", "[cc]{a}b[a]bcc{cb}"),
        ("bbaa", "ababab", "{a}b{a}ba[a]{b}"),
        ("aabccc", "cadccb", "[a]{c}a[bc]{d}cc{b}"),
        ("cbbcabcc", "aacabaac", "{aa}c{a}b[bc]a[bc]{a}c"),
        ("abcdbbbd", "babaadac", "{b}ab{aada}c[dbbbd]"),
        ("abaabab", "bbbbaab", "[a]b[a]{bbb}a[b]ab"),
    ],
)
def test_of_equally_short_scripts_it_is_that_of_the_original(
    old: str, new: str, expected: str
) -> None:
    assert marked(old, new) == expected


def test_what_has_nothing_in_common_is_not_searched() -> None:
    old, new = [f"a{n}" for n in range(50_000)], [f"b{n}" for n in range(40_000)]
    begin = time.perf_counter()

    assert differences(old, new, nothing) == [(0, 50_000, 0, 40_000)]
    assert time.perf_counter() - begin < 5


def test_a_comparison_out_of_steps_shows_the_rest_as_different() -> None:
    assert marked("xabcdefy", "xbcdaefy", max_steps=1) == "x[abcd]{bcda}efy"


def test_a_comparison_may_be_ended() -> None:
    def end() -> None:
        raise CallCancelled

    with pytest.raises(CallCancelled):
        differences("ab", "ba", end)


@pytest.mark.parametrize(
    ("text", "count"), [("", 0), ("a", 1), ("a\n", 1), ("\n\n", 2), ("a\rb\r\nc", 2)]
)
def test_only_a_line_feed_ends_a_counted_line(text: str, count: int) -> None:
    assert line_count(text) == count


def numbered(count: int, **changed: str) -> str:
    return "".join(changed.get(f"l{number}", f"l{number}") + "\n" for number in range(1, count + 1))


def test_gaps_of_more_than_three_lines_are_marked() -> None:
    new = numbered(14, l2="A", l5="B", l12="C")

    assert shown_changes(numbered(14), new, 2, nothing) == (
        " 1  l1\n 2 -l2\n 2 +A\n 3  l3\n 4  l4\n 5 -l5\n 5 +B\n 6  l6\n"
        "...\n11  l11\n12 -l12\n12 +C\n13  l13\n"
    )


def test_a_gap_of_three_lines_is_silent_and_one_before_the_first_change_too() -> None:
    new = numbered(14, l7="A", l13="B")

    assert shown_changes(numbered(14), new, 4, nothing) == (
        "   6  l6\n   7 -l7\n   7 +A\n   8  l8\n  12  l12\n  13 -l13\n  13 +B\n  14  l14\n"
    )


def test_a_line_between_two_changes_is_shown_once() -> None:
    assert shown_changes("a\nb\nc\n", "x\nb\ny", 1, nothing) == ("1 -a\n1 +x\n2  b\n3 -c\n3 +y\n")


def test_a_cr_ends_a_line_and_stays_in_it() -> None:
    assert shown_changes("a\r\nb\n", "a\nx\ry\r\nb\n", 1, nothing) == (
        "1 -a\r\n1 +a\n2 +x\r\n3 +y\r\n2  b\n"
    )


def test_texts_that_are_the_same_have_nothing_to_show() -> None:
    assert shown_changes("a\n", "a\n", 1, nothing) == ""
