"""The attribute `integrity`, checked as HTML checks it."""

from __future__ import annotations

import base64
import hashlib
import re

from treeglass.authoring.demo import DemoInvalid

_ALGORITHMS = ("sha256", "sha384", "sha512")
"""The weakest first."""
_HASH = re.compile(r"(sha256|sha384|sha512)-([A-Za-z0-9+/_-]+={0,2})(?:\?.*)?")


def require_integrity(content: bytes, integrity: str) -> None:
    """Raise `DemoInvalid` unless bytes have one of the hashes of the strongest algorithm named."""
    named = [match.groups() for token in integrity.split() if (match := _HASH.fullmatch(token))]
    if not named:
        raise DemoInvalid(
            f"integrity {integrity!r} has no hash that HTML knows; write one such as sha384-…"
        )
    strongest = max((algorithm for algorithm, _ in named), key=_ALGORITHMS.index)
    digest = hashlib.new(strongest, content).digest()
    actual = base64.b64encode(digest).decode().rstrip("=")
    expected = [
        value.replace("-", "+").replace("_", "/").rstrip("=")
        for algorithm, value in named
        if algorithm == strongest
    ]
    if actual not in expected:
        raise DemoInvalid(
            f"the tree has the integrity {strongest}-{base64.b64encode(digest).decode()}, and not "
            "the given one; give the integrity of the tree that you trust"
        )
