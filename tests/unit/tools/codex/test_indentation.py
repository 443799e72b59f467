import io
from typing import Any

import pytest

from treeglass import Limits
from treeglass.errors import LimitExceeded
from treeglass.tools.codex.errors import RespondToModel
from treeglass.tools.codex.indentation import Block, BlockRules, read_block


def nothing() -> None:
    """Let the reading go on."""


def block_of(content: str | bytes, anchor_line: int, **rules: Any) -> Block:
    raw = content.encode() if isinstance(content, str) else content
    limits = Limits(max_line_bytes=rules.pop("max_line_bytes", 4096))
    wanted = {
        "max_levels": 0,
        "include_siblings": False,
        "include_header": False,
        "cap": 100,
        **rules,
    }
    return read_block(
        io.BytesIO(raw), BlockRules(anchor_line=anchor_line, **wanted), limits, nothing
    )


def shown(block: Block, cap: int | None = None) -> list[int]:
    """Return the numbers of the lines that are shown."""
    return [block.first_number + index for index in block.span(cap or len(block.rows))]


CODE = """\
import os

# about first
@decorated
def first():
    if True:
        return 1

    return 2

def second():
    return 3
"""


@pytest.mark.parametrize("anchor_line", range(1, 13))
@pytest.mark.parametrize("include_siblings", [True, False])
def test_the_span_of_a_smaller_cap_is_what_that_cap_would_have_given(
    anchor_line: int, include_siblings: bool
) -> None:
    whole = block_of(CODE, anchor_line, include_siblings=include_siblings)
    caps = range(1, len(whole.rows) + 1)

    spans = [shown(whole, cap) for cap in caps]

    assert spans == [
        shown(block_of(CODE, anchor_line, include_siblings=include_siblings, cap=cap))
        for cap in caps
    ]


@pytest.mark.parametrize(
    ("cap", "is_capped", "has_more_below"),
    [(2, True, True), (3, False, True), (100, False, True)],
)
def test_a_block_is_capped_only_if_the_walk_would_have_gone_on(
    cap: int, is_capped: bool, has_more_below: bool
) -> None:
    block = block_of("a\nb\nc\nd\ne\n", 3, cap=cap)

    assert (block.is_capped, block.has_more_below, block.is_part_of_file) == (
        is_capped,
        has_more_below,
        True,
    )


def test_a_whole_file_is_not_a_part_of_it() -> None:
    block = block_of("a\nb\nc\n", 2)

    assert (shown(block), block.is_part_of_file) == ([1, 2, 3], False)


@pytest.mark.parametrize("blank_lines", [3, 300], ids=["in the look-back", "far above it"])
def test_a_blank_line_has_the_column_of_the_text_above_however_far_that_is(
    blank_lines: int,
) -> None:
    # The blank lines stand at column 4, above the floor: with another column
    # they would be floor lines, and the second of them would be refused.
    content = "x\n" * 200 + "    deep\n" + "\n" * blank_lines + "anchor\n"
    anchor_line = 200 + 1 + blank_lines + 1

    block = block_of(content, anchor_line, cap=3)

    assert [row.column for row in block.rows] == [4, 4, 0]
    assert shown(block) == [anchor_line]


def test_an_anchor_far_down_is_found_without_the_lines_above_it() -> None:
    content = "".join(f"{'    ' * (number % 3)}{number}\n" for number in range(1, 5001))

    block = block_of(content, 4000, cap=5, include_siblings=True)

    assert [row.line.head.strip() for row in block.rows] == [
        b"3998",
        b"3999",
        b"4000",
        b"4001",
        b"4002",
    ]
    assert block.first_number == 3998


@pytest.mark.parametrize("lines", [0, 1, 2000])
def test_an_anchor_past_the_last_line_is_refused(lines: int) -> None:
    with pytest.raises(RespondToModel, match=r"^anchor_line exceeds file length$"):
        block_of("x\n" * lines, lines + 1, cap=5)


@pytest.mark.parametrize(
    ("line", "column", "is_blank", "is_comment"),
    [
        pytest.param(b"\t  \tx", 10, False, False, id="a tab is four columns anywhere"),
        pytest.param(b"  \xc2\xa0x", 2, False, False, id="other white space ends the indent"),
        pytest.param(b"\xc2\xa0// x", 0, False, True, id="but not the look for a comment"),
        pytest.param(b"\x1c", 0, False, False, id="an information separator is text"),
        pytest.param(b"\xef\xbb\xbf", 0, False, False, id="a byte order mark is text"),
        pytest.param(b"\xe3\x80\x80\xc2\x85", 0, True, False, id="Unicode white space is blank"),
        pytest.param(
            b" " * 600 + b"x", 600, False, False, id="an indent longer than what is shown"
        ),
        pytest.param(b" " * 600, 0, True, False, id="a long blank line"),
        pytest.param(b" " * 511 + b"--", 511, False, True, id="a mark on the edge of the head"),
        pytest.param(b" " * 510 + "ä".encode() * 9, 510, False, False, id="a letter cut in half"),
        pytest.param(b"---", 0, False, True, id="a rule is a comment"),
        pytest.param(b"/* x", 0, False, False, id="a block comment is not"),
    ],
)
def test_a_line_is_measured_from_the_whole_of_it(
    line: bytes, column: int, is_blank: bool, is_comment: bool
) -> None:
    (row,) = block_of(line + b"\n", 1).rows

    assert (row.column, row.is_blank, row.is_comment) == (column, is_blank, is_comment)
    assert row.line.head == line[:512]


@pytest.mark.parametrize("end", [b"", b"-"], ids=["white space", "half a mark"])
def test_a_line_without_text_in_reach_of_the_limit_is_refused(end: bytes) -> None:
    content = (b" " * (1000 - len(end)) + end).ljust(5000, b" ")

    with pytest.raises(LimitExceeded) as refused:
        block_of(content, 1, max_line_bytes=1000)

    assert (refused.value.limit, refused.value.value) == ("max_line_bytes", 1000)


def test_a_line_with_text_in_reach_of_the_limit_may_have_any_length() -> None:
    content = (b" " * 992 + b"x" * 8).ljust(5000, b" ")

    assert [row.column for row in block_of(content, 1, max_line_bytes=1000).rows] == [992]
