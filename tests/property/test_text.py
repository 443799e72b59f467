"""Cuts are valid UTF-8 and orders are total, for any bytes."""

import io

from hypothesis import given
from hypothesis import strategies as st

from treeglass.utf8 import (
    by_lossy_name,
    by_lower_case,
    byte_length,
    cut_to_bytes,
    decode_lossy,
    lossy_text,
)
from treeglass.workspace.lines import iter_lines, skip_lines

raw_names = st.binary(min_size=1, max_size=12).map(
    lambda raw: raw.decode("utf-8", "surrogateescape")
)


def nothing() -> None:
    """Let the reading go on."""


@given(raw=st.binary(max_size=60), max_bytes=st.integers(0, 70))
def test_a_cut_is_the_longest_prefix_of_whole_code_points(raw: bytes, max_bytes: int) -> None:
    text = decode_lossy(raw)
    cut = cut_to_bytes(text, max_bytes)

    assert text.startswith(cut)
    assert byte_length(cut) <= max_bytes
    assert cut == text or byte_length(text[: len(cut) + 1]) > max_bytes


@given(names=st.lists(raw_names, unique=True, max_size=8))
def test_no_two_different_names_compare_equal(names: list[str]) -> None:
    for key in (by_lossy_name, by_lower_case):
        assert len({key(name) for name in names}) == len(names)
        backwards = names[::-1]
        assert sorted(names, key=key) == sorted(backwards, key=key)


@given(name=raw_names)
def test_a_lossy_name_can_always_be_written(name: str) -> None:
    assert lossy_text(name).encode().decode() == lossy_text(name)


@given(
    content=st.lists(st.sampled_from([b"a", b"bb", b"\r", b"\n", b"\xc3"]), max_size=30).map(
        b"".join
    ),
    head_bytes=st.integers(2, 6),
    skipped=st.integers(0, 12),
)
def test_lines_are_what_splitting_at_line_feeds_gives(
    content: bytes, head_bytes: int, skipped: int
) -> None:
    whole = content.split(b"\n")
    if whole[-1] == b"":
        whole.pop()
    ended = [
        line.removesuffix(b"\r") if number < content.count(b"\n") else line
        for number, line in enumerate(whole)
    ]

    file = io.BytesIO(content)
    assert skip_lines(file, skipped, nothing) == min(skipped, len(ended))
    found = list(iter_lines(file, head_bytes, nothing))

    assert [line.head for line in found] == [line[:head_bytes] for line in ended[skipped:]]
    assert [line.is_cut for line in found] == [len(line) > head_bytes for line in ended[skipped:]]
