from __future__ import annotations

import json
from typing import Any

import pytest

from treeglass.authoring.envelope.truncation import truncate_envelope
from treeglass.authoring.envelope.validation import validate_envelope
from treeglass.tools.envelope.envelope_building import render_envelope

SMALL: dict[str, Any] = {
    "status": "success",
    "data": {},
    "text": "one\ntwo\né",
    "stats": {"time_ms": 1},
    "context": {"cwd": ".", "params_input": {}},
}
# As JSON text: 14 lines, two of them spelled out in "text".
LINES = render_envelope(SMALL).replace("\\n", "\n").split("\n")


def test_what_is_small_enough_is_left_alone() -> None:
    size_bytes = len(render_envelope(SMALL).encode())

    assert truncate_envelope(SMALL, max_lines=len(LINES), max_bytes=size_bytes) == (SMALL, None)


def test_what_asks_to_be_left_alone_is() -> None:
    envelope = SMALL | {"context": SMALL["context"] | {"truncation_skip": True}}

    assert truncate_envelope(envelope, max_lines=2) == (envelope, None)


def test_one_line_too_many_makes_it_partial() -> None:
    full_text = render_envelope(SMALL)

    envelope, saved = truncate_envelope(
        SMALL, max_lines=len(LINES) - 1, full_output_path="tool-output/tool_LS.json"
    )

    assert saved == full_text
    assert envelope == {
        "status": "partial",
        "data": {
            "truncated": True,
            "truncation": {
                "direction": "head",
                "max_lines": 13,
                "max_bytes": 51_200,
                "head_tail_lines": None,
                "original_lines": 14,
                "original_bytes": len(full_text.encode()),
                "kept_lines": 13,
                "kept_bytes": len(full_text.encode()) - 1,
                "full_output_path": "tool-output/tool_LS.json",
            },
            "preview": full_text[:-1],
        },
        "text": (
            "Output too large, truncated (14 lines, 0.2 KB). The full output is saved in "
            "'tool-output/tool_LS.json'; read the part you need from there."
        ),
        "stats": {"time_ms": 1},
        "context": {"cwd": ".", "params_input": {}},
    }
    assert validate_envelope(envelope) == []


def test_an_error_stays_one_and_keeps_its_code() -> None:
    failure = SMALL | {"status": "error", "error": {"code": "CONFLICT", "message": "m" * 99}}

    envelope, saved = truncate_envelope(failure, max_bytes=60)

    assert saved == render_envelope(failure)
    assert (envelope["status"], envelope["error"]) == ("error", failure["error"])
    assert envelope["text"] == (
        "Output too large, truncated (18 lines, 0.3 KB). "
        "The full output was not saved; use narrower arguments to get less."
    )
    assert validate_envelope(envelope) == []


@pytest.mark.parametrize(
    ("bounds", "preview", "kept_lines"),
    [
        pytest.param(
            {"max_lines": 4},
            '{\n  "status": "success",\n  "data": {},\n  "text": "one\\n',
            4,
            id="head",
        ),
        pytest.param(
            {"max_lines": 3, "direction": "tail"}, '    "params_input": {}\n  }\n}', 3, id="tail"
        ),
        pytest.param({"max_bytes": 5}, '{\n  "', 2, id="few bytes of the head"),
        pytest.param({"max_bytes": 4, "direction": "tail"}, " }\n}", 2, id="few bytes of the tail"),
        pytest.param(
            {"max_lines": 4, "direction": "head_tail", "head_tail_lines": 1},
            "{\n\n... [155 characters left out] ...\n}",
            2,
            id="one line of both ends",
        ),
        pytest.param(
            {"max_bytes": 8, "direction": "head_tail"},
            "{\n  \n... [150 characters left out] ...\n }\n}",
            4,
            id="few bytes of both ends",
        ),
    ],
)
def test_the_preview_is_raw_text_from_where_it_was_asked_for(
    bounds: dict[str, Any], preview: str, kept_lines: int
) -> None:
    envelope, _ = truncate_envelope(SMALL, **bounds)

    assert envelope["data"]["preview"] == preview
    assert envelope["data"]["truncation"]["kept_lines"] == kept_lines
    assert validate_envelope(envelope) == []


@pytest.mark.parametrize("direction", ["head", "tail", "head_tail"])
@pytest.mark.parametrize("max_lines", [2, 3, 5, 8, 2000])
@pytest.mark.parametrize("max_bytes", [2, 3, 50, 101, 51_200])
def test_what_is_kept_is_never_over_its_bounds(
    direction: Any, max_lines: int, max_bytes: int
) -> None:
    envelope = SMALL | {"data": {"content": "é\n😀 中\n" * 40}}
    full_text = render_envelope(envelope)

    cut, saved = truncate_envelope(
        envelope, max_lines=max_lines, max_bytes=max_bytes, direction=direction
    )

    if saved is None:
        assert (max_lines, max_bytes, cut) == (2000, 51_200, envelope)
    else:
        truncation = cut["data"]["truncation"]
        assert saved == full_text
        assert truncation["kept_lines"] <= max_lines
        assert truncation["kept_bytes"] <= max_bytes
        json.dumps(cut, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    "bounds", [{"max_lines": 1}, {"max_bytes": 1}, {"head_tail_lines": 0}], ids=str
)
def test_bounds_without_room_for_both_ends_are_misuse(bounds: dict[str, Any]) -> None:
    with pytest.raises(
        ValueError,
        match=r"^max_lines and max_bytes must be at least 2, head_tail_lines at least 1$",
    ):
        truncate_envelope(SMALL, **bounds)
