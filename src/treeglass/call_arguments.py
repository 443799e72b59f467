"""Decode the arguments of a call: JSON text or a mapping, before a tool validates them."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from treeglass.errors import InvalidArguments
from treeglass.utf8 import is_encodable

MAX_NESTING = 200
"""Deepest JSON text of a call's arguments that is read. Unit: levels."""

_STRINGS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)
_BRACKETS = re.compile(r"[\[\]{}]")


@dataclass(frozen=True, slots=True)
class ToolArguments:
    """A call's arguments: a JSON object, and its repeated keys."""

    values: dict[str, Any]
    repeated_keys: frozenset[str] = frozenset()
    """Keys that the JSON text holds more than once, at any depth."""


def decode_arguments(arguments: object) -> ToolArguments:
    """Return a call's arguments from JSON text or from a mapping with text keys.

    Raises:
        InvalidArguments: It is not one JSON object, or it holds a lone surrogate,
            which UTF-8 cannot carry, or a number that is not finite.
    """
    if isinstance(arguments, str):
        return _decode_text(arguments)
    if not isinstance(arguments, Mapping):
        raise InvalidArguments("the arguments must be a JSON object")
    values = dict(arguments)
    if not _is_transportable(values):
        message = "the arguments hold what JSON cannot carry, such as a lone surrogate"
        raise InvalidArguments(message)
    return ToolArguments(values)


def _decode_text(text: str) -> ToolArguments:
    if _is_nested_too_deeply(text):
        raise InvalidArguments("the arguments are nested too deeply")
    repeated: set[str] = set()
    try:
        try:
            # `json.loads` would make a decoder for each call, but its error names a byte
            # order mark, which the decoder itself reports like any other character.
            decoded = json.loads(text) if text[:1] == "\ufeff" else _decoder.decode(text)
        except _KeyRepeated:
            decoded = _decoder_that_counts(repeated).decode(text)
    except RecursionError:
        raise InvalidArguments("the arguments are nested too deeply") from None
    except json.JSONDecodeError as error:
        raise InvalidArguments(f"the arguments are not valid JSON: {error}") from None
    except ValueError:
        raise InvalidArguments("the arguments hold a number of too many digits") from None
    if not isinstance(decoded, dict):
        raise InvalidArguments("the arguments must be a JSON object")
    # A page or a shell may also send a lone surrogate itself, without an escape.
    if not is_encodable(text) or ("\\u" in text and not _is_transportable(decoded)):
        raise InvalidArguments("the arguments hold a lone surrogate, which is not valid Unicode")
    return ToolArguments(decoded, frozenset(repeated))


class _KeyRepeated(Exception):
    """An object of the arguments has a key twice, which is rare."""


def _object_without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _KeyRepeated
    return found


def _decoder_that_counts(repeated: set[str]) -> json.JSONDecoder:
    def collect(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        counts = Counter(key for key, _ in pairs)
        repeated.update(key for key, count in counts.items() if count > 1)
        return dict(pairs)

    return _decoder_of(collect)


def _decoder_of(hook: Callable[[list[tuple[str, Any]]], dict[str, Any]]) -> json.JSONDecoder:
    return json.JSONDecoder(
        object_pairs_hook=hook, parse_constant=_refuse_constant, parse_float=_finite_number
    )


def _is_nested_too_deeply(text: str) -> bool:
    # Counted before anything recurses: a browser's stack is small, and where it
    # ends, the interpreter ends too, without a RecursionError to catch.
    if text.count("[") + text.count("{") <= MAX_NESTING:
        return False
    depth = 0
    for bracket in _BRACKETS.findall(_STRINGS.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        if depth > MAX_NESTING:
            return True
    return False


def _refuse_constant(constant: str) -> None:
    raise InvalidArguments(f"the arguments are not valid JSON: {constant} is not a JSON number")


def _finite_number(literal: str) -> float:
    number = float(literal)
    if math.isinf(number):
        raise InvalidArguments("the arguments hold a number that is too large")
    return number


def _is_transportable(values: dict[str, Any]) -> bool:
    try:
        return is_encodable(json.dumps(values, ensure_ascii=False, allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        return False


_decoder = _decoder_of(_object_without_repeats)
