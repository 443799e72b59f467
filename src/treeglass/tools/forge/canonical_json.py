"""Write canonical JSON: each value has exactly one text, and keys keep the caller's order."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import accumulate

from treeglass.utf8 import byte_length

_encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def encode_canonical(value: object) -> str:
    r"""Return a JSON value without insignificant whitespace, keys as they stand.

    Quote, backslash and the C0 controls are escaped (``\b \f \n \r \t``, the
    others as lower-case ``\u00xx``); everything else, the slash, DEL and
    non-ASCII text included, is unchanged. Implements FR-LD-OUT-02a.
    """
    return _encoder.encode(value)


class ArrayFrame:
    """An object around one array, which may be written in part; each element is encoded once."""

    def __init__(
        self, before: Mapping[str, object], array_key: str, elements: Sequence[object]
    ) -> None:
        self._head = encode_canonical({**before, array_key: []}).removesuffix("]}")
        self._elements = [encode_canonical(element) for element in elements]
        # One comma before each element except the first.
        widths = (byte_length(text) + 1 for text in self._elements)
        self._array_bytes = [0, *(end - 1 for end in accumulate(widths))]

    def render(self, count: int, after: Mapping[str, object]) -> str:
        """Return the object with ``count`` elements and the members after the array."""
        return f"{self._head}{','.join(self._elements[:count])}{_tail(after)}"

    def size_bytes(self, count: int, after: Mapping[str, object]) -> int:
        """Return the number of UTF-8 bytes of what `render` would return."""
        return byte_length(self._head) + self._array_bytes[count] + byte_length(_tail(after))


def _tail(after: Mapping[str, object]) -> str:
    return "]," + encode_canonical(after).removeprefix("{")
