import pytest

from treeglass.tools.codex.text import HEAD_BYTES, line_warnings, numbered
from treeglass.workspace.lines import Line


def shown(raw: bytes) -> tuple[str, tuple[str, ...]]:
    """Return a line as the reader yields it, and its warnings."""
    line = Line(raw[:HEAD_BYTES], is_cut=len(raw) > HEAD_BYTES)
    content = numbered(7, line)
    return content, line_warnings([line], content)


@pytest.mark.parametrize("first", ["", "a", "ab", "abc"])
@pytest.mark.parametrize("character", [b"\xc3\xa9", b"\xe2\x82\xac", b"\xf0\x9f\x98\x80", b"\xe2"])
def test_a_head_shows_what_the_whole_line_would(first: str, character: bytes) -> None:
    raw = first.encode() + character * 400
    whole = Line(raw, is_cut=False)

    assert shown(raw)[0] == numbered(7, whole)


@pytest.mark.parametrize(
    ("raw", "warnings"),
    [
        pytest.param(b"plain\t\xc3\xa9", (), id="nothing to warn of"),
        pytest.param(b"\xef\xbf\xbd", (), id="a real replacement character"),
        pytest.param(
            b"\xff", ("1 byte is not UTF-8 and is shown as U+FFFD.",), id="one invalid byte"
        ),
        pytest.param(
            b"\xf0\x9f\x98 \xfe \xef\xbf\xbd",
            ("4 bytes are not UTF-8 and are shown as U+FFFD.",),
            id="invalid bytes, not signs",
        ),
        pytest.param(
            b"\xf0\x9f\x98" * 400,
            (
                "498 bytes are not UTF-8 and are shown as U+FFFD.",
                "1 line is longer than 500 bytes and is shown cut.",
            ),
            id="only invalid bytes that are shown",
        ),
        pytest.param(
            b"a" * 500 + b"\xff",
            ("1 line is longer than 500 bytes and is shown cut.",),
            id="an invalid byte that is cut off",
        ),
        pytest.param(b"a" * 500, (), id="500 bytes are whole"),
        pytest.param(
            b"\xff" * 167,
            (
                "166 bytes are not UTF-8 and are shown as U+FFFD.",
                "1 line is longer than 500 bytes and is shown cut.",
            ),
            id="long only as it is shown",
        ),
        pytest.param(
            b"a\0b",
            (
                "The file looks binary: the shown text holds NUL characters.",
                "The shown text holds 1 invisible or bidirectional character.",
            ),
            id="a NUL",
        ),
        pytest.param(
            "\u202ea\u200b".encode(),
            ("The shown text holds 2 invisible or bidirectional characters.",),
            id="hostile characters",
        ),
    ],
)
def test_a_warning_counts_what_cannot_be_seen(raw: bytes, warnings: tuple[str, ...]) -> None:
    assert shown(raw)[1] == warnings


def test_counts_run_over_all_lines() -> None:
    lines = [
        Line(b"\xff", is_cut=False),
        Line(b"x" * 512, is_cut=True),
        Line(b"\xfe", is_cut=False),
    ]
    lines += lines

    assert line_warnings(lines, "\n".join(numbered(1, line) for line in lines)) == (
        "4 bytes are not UTF-8 and are shown as U+FFFD.",
        "2 lines are longer than 500 bytes and are shown cut.",
    )
