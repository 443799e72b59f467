"""JSON as a page's script reads and writes it, with its numbers and its order of keys.

A demo's arguments pass through `JSON.parse` and `JSON.stringify` before a tool
sees them, and some tools repeat their arguments.
"""

from __future__ import annotations

import json
import math
import re
from decimal import Decimal
from typing import Any

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_ARRAY_INDEX = re.compile(r"0|[1-9][0-9]{0,9}")
_FIRST_NO_INDEX = 2**32 - 1
_FIRST_EXPONENT = 1e21
"""From this number on JavaScript writes whole numbers with an exponent."""


def parse_json(text: str) -> Any:
    """Return the value that `JSON.parse` gives, as Python values.

    Numbers are doubles, whole ones `int`; keys that are array indices come
    first, in their order; a number too large for a double is None, as
    `JSON.stringify` writes it. Any other text is a `ValueError`, which says why.
    """
    try:
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_refuse,
            parse_float=_number,
            parse_int=_number,
        )
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def write_json(value: object) -> str:
    """Return the text that `JSON.stringify` gives for a value from `parse_json`."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return _LONE_SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def parse_object(text: str) -> dict[str, Any]:
    """Return the object that a JSON text holds; a `ValueError` says what it is instead."""
    value = parse_json(text)
    if not isinstance(value, dict):
        what = "a list" if isinstance(value, list) else f"the value {write_json(value)[:40]}"
        raise ValueError(f"it holds {what}")  # noqa: TRY004  # the text is at fault
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    indices = sorted((key for key in found if _is_index(key)), key=int)
    if not indices:
        return found
    return {key: found[key] for key in (*indices, *(key for key in found if not _is_index(key)))}


def _is_index(key: str) -> bool:
    return _ARRAY_INDEX.fullmatch(key) is not None and int(key) < _FIRST_NO_INDEX


def _number(literal: str) -> int | float | None:
    value = float(literal)
    if math.isinf(value):
        return None
    if not value.is_integer() or abs(value) >= _FIRST_EXPONENT:
        return value
    # JavaScript writes the digits that tell a double from the next one, and then zeros.
    return int(Decimal(repr(value)))


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not a JSON number")
