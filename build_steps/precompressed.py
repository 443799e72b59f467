"""Answering with the compressed sibling of a file, where the request allows it."""

from __future__ import annotations

import http.server
import os
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

SUFFIXES = {"br": ".br", "gzip": ".gz"}
"""Each encoding, as HTTP calls it, and how the name of such a sibling ends; the smallest first."""


def preferred_encoding(accepted: str, offered: Sequence[str]) -> str | None:
    """Return the encoding that an `Accept-Encoding` prefers, or None for the file as it is.

    Args:
        accepted: The header's value; empty where there was none.
        offered: What there is, the best first.
    """
    weights = dict(_weighed(part) for part in accepted.split(",") if part.strip())
    best = max(offered, key=lambda name: _weight_of(name, weights), default=None)
    if best is None or _weight_of(best, weights) <= 0:
        return None
    # Who says nothing of the file as it is does not prefer it.
    return best if _weight_of(best, weights) >= weights.get("identity", 0.0) else None


def _weighed(part: str) -> tuple[str, float]:
    name, *parameters = (word.strip().lower() for word in part.split(";"))
    for parameter in parameters:
        if parameter.startswith("q="):
            try:
                return name, float(parameter[2:])
            except ValueError:
                return name, 0.0
    return name, 1.0


def _weight_of(name: str, weights: dict[str, float]) -> float:
    return weights.get(name, weights.get("*", 0.0))


class PrecompressedRequest(http.server.SimpleHTTPRequestHandler):
    """A request for a file, answered with its sibling where there is one that suits."""

    status = HTTPStatus.OK
    """Of the answer that is being given."""
    _encoding: str | None = None
    _is_negotiated = False

    def translate_path(self, path: str) -> str:
        """Return the file that a path stands for, or the sibling to send in its place."""
        name = super().translate_path(path)
        if path.partition("?")[0].partition("#")[0].endswith("/"):
            index = Path(name, "index.html")
            name = str(index) if index.is_file() else name
        siblings = {encoding: name + suffix for encoding, suffix in SUFFIXES.items()}
        offered = [encoding for encoding in siblings if Path(siblings[encoding]).is_file()]
        self._is_negotiated = bool(offered)
        self._encoding = preferred_encoding(self.headers.get("Accept-Encoding", ""), offered)
        return name if self._encoding is None else siblings[self._encoding]

    def guess_type(self, path: str | os.PathLike[str]) -> str:
        """Return the type of what will have been decompressed."""
        name = os.fspath(path)
        if self._encoding is not None:
            name = name.removesuffix(SUFFIXES[self._encoding])
        return super().guess_type(name)

    def send_response(self, code: int, message: str | None = None) -> None:
        """Say with the status what a cache has to know of the encoding."""
        super().send_response(code, message)
        self.status = HTTPStatus(code)
        if code in {HTTPStatus.OK, HTTPStatus.NOT_MODIFIED} and self._is_negotiated:
            self.send_header("Vary", "Accept-Encoding")
        if code == HTTPStatus.OK and self._encoding is not None:
            self.send_header("Content-Encoding", self._encoding)
