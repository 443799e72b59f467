import json
from typing import Any

import pytest

from treeglass.tools.forge.canonical_json import ArrayFrame, encode_canonical

AFTER: dict[str, object] = {"returned": 2}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param({"b": 1, "a": [True, None]}, '{"b":1,"a":[true,null]}', id="keys keep order"),
        pytest.param('"\\\b\f\n\r\t', r'"\"\\\b\f\n\r\t"', id="short escapes"),
        pytest.param("\x01\x1f", r'"\u0001\u001f"', id="other controls in lower case"),
        pytest.param("/\x7f\x80é\u2028😀", '"/\x7f\x80é\u2028😀"', id="everything else stays"),
    ],
)
def test_value_has_one_text(value: object, text: str) -> None:
    assert encode_canonical(value) == text


def test_number_that_json_cannot_hold_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^Out of range float values are not JSON compliant"):
        encode_canonical(float("nan"))


@pytest.mark.parametrize("count", range(4))
def test_frame_writes_what_the_encoder_would_write(count: int) -> None:
    elements: list[dict[str, Any]] = [{"name": 'entries":["'}, {"name": "é\n"}, {}]
    frame = ArrayFrame({"path": '"entries":[]}'}, "entries", elements)

    text = frame.render(count, AFTER)

    whole = {"path": '"entries":[]}', "entries": elements[:count], **AFTER}
    assert text == encode_canonical(whole)
    assert json.loads(text) == whole
    assert frame.size_bytes(count, AFTER) == len(text.encode())


def test_frame_around_an_empty_array_has_no_comma() -> None:
    frame = ArrayFrame({"path": "."}, "entries", [])

    assert frame.render(0, AFTER) == '{"path":".","entries":[],"returned":2}'
    assert frame.size_bytes(0, AFTER) == 38
