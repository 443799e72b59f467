import io

import pytest

from treeglass.workspace.lines import iter_text


def nothing() -> None:
    """Let the reading go on."""


CONTENTS = [
    b"",
    b"\n",
    b"a\r\nb\rc\nd\r",
    b"\r\r\n\n\r",
    "é日😀\x0b\x0c\x1c\x85\u2028\ufeffz".encode(),
    b"\xef\xbb\xbfa\n",
    b"caf\xe9\r\nna\xefve\r",
    b"\xe2\x82\n\xf0\x9f\x98\n\xc0\x80\xed\xa0\x80",
    "cut €".encode()[:-1],
]


@pytest.mark.parametrize("block_bytes", [1, 2, 3, 5, 1024])
@pytest.mark.parametrize("content", CONTENTS)
def test_text_is_what_a_text_file_of_python_gives(
    content: bytes, block_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treeglass.workspace.lines._BLOCK_BYTES", block_bytes)

    blocks = list(iter_text(io.BytesIO(content), nothing))

    expected = io.TextIOWrapper(io.BytesIO(content), "utf-8", "replace").read()
    assert "".join(block.text for block in blocks) == expected
    is_valid = "\ufffd" not in expected
    assert [block.is_valid for block in blocks][-1:] == [is_valid] * bool(blocks)
    assert "" not in [block.text for block in blocks]
