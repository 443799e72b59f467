import pytest

from treeglass.utf8 import (
    byte_length,
    cut_to_bytes,
    decode_lossy,
    is_encodable,
    lossy_text,
    raw_bytes,
)


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        pytest.param(b"\xf0\x9f\x98", "\ufffd", id="a truncated sequence gives one"),
        pytest.param(b"\xed\xa0\x80", "\ufffd\ufffd\ufffd", id="an encoded surrogate gives three"),
        pytest.param(b"\xc0\xaf", "\ufffd\ufffd", id="an overlong form gives one for each byte"),
        pytest.param(b"\xef\xbb\xbfa", "\ufeffa", id="a byte order mark stays"),
    ],
)
def test_invalid_bytes_become_one_replacement_for_each_maximal_subpart(
    raw: bytes, text: str
) -> None:
    assert decode_lossy(raw) == text
    assert lossy_text(raw.decode("utf-8", "surrogateescape")) == text


def test_half_of_a_surrogate_pair_becomes_one_replacement_and_keeps_its_place() -> None:
    assert lossy_text("a\ud800b\udc00c\udcff") == "a\ufffdb\ufffdc\ufffd"
    assert raw_bytes("a\ud800") == b"a\xed\xa0\x80"


@pytest.mark.parametrize(
    ("text", "max_bytes", "cut"),
    [
        ("abc", 3, "abc"),
        ("abc", 2, "ab"),
        ("aé", 2, "a"),
        ("e\u0301", 2, "e"),
        ("😀", 3, ""),
        ("", 0, ""),
    ],
)
def test_a_cut_falls_between_code_points(text: str, max_bytes: int, cut: str) -> None:
    assert cut_to_bytes(text, max_bytes) == cut


def test_lengths_are_in_bytes() -> None:
    assert [byte_length("abc"), byte_length("é"), byte_length("😀")] == [3, 2, 4]


def test_a_lone_surrogate_cannot_be_encoded() -> None:
    assert [is_encodable("é😀"), is_encodable("\ud83d")] == [True, False]
