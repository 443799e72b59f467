"""`serve`: the playground and the documentation on loopback, for one user and for tests."""

from __future__ import annotations

import http.server
import os
import re
import signal
import socket
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from build_steps.bundle import make_dist
from build_steps.failure import BuildFailed
from build_steps.folders import SITE
from build_steps.web.compress import SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from socketserver import BaseRequestHandler
    from types import FrameType


def run(*, host: str, port: int) -> int:
    """Bring `dist/` up to date and serve the site until Ctrl-C."""
    make_dist()
    with open_site_server(SITE, host=host, port=port) as server:
        taken_port = server.server_port
        if taken_port != port:
            print(f"Port {port} is taken; {taken_port} is free and is used instead.")
        shown_host = f"[{host}]" if ":" in host else host
        signal.signal(signal.SIGINT, _interrupt_once)
        try:
            address = f"http://{shown_host}:{taken_port}/"
            print(f"Playground: {address}\nDocumentation: {address}docs/", flush=True)
            server.serve_forever()
        except KeyboardInterrupt:
            print("\nStopped.")
    return 0


def _interrupt_once(_signal: int, _frame: FrameType | None) -> NoReturn:
    # A terminal sends Ctrl-C to us and to `uv run`, which passes it on: the second one would
    # interrupt the shutdown.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


def open_site_server(site: Path, *, host: str, port: int) -> SiteServer:
    """Return a server that already listens, on a free port if this one is taken."""
    handler = partial(SiteRequest, directory=os.fspath(site))
    try:
        return SiteServer((host, port), handler)
    except (PermissionError, OverflowError) as refusal:
        raise BuildFailed(
            f"Port {port} cannot be used ({refusal}): give another one with --port."
        ) from refusal
    except OSError:
        pass
    try:
        return SiteServer((host, 0), handler)
    except OSError as refusal:
        raise BuildFailed(
            f"{host} is not an address to serve on ({refusal.strerror}): "
            "give another one with --host, or none for 127.0.0.1."
        ) from refusal


class SiteServer(http.server.ThreadingHTTPServer):
    """A server of static files that never shares its port with another one."""

    # On Windows the first option lets two servers share a port, and on Linux the second one does:
    # either server might answer.
    allow_reuse_address = os.name != "nt"
    allow_reuse_port = False
    daemon_threads = True

    def __init__(
        self, address: tuple[str, int], handler: Callable[..., BaseRequestHandler]
    ) -> None:
        if ":" in address[0]:
            self.address_family = socket.AF_INET6
        super().__init__(address, handler)


def accepted_encoding(accepted: str, offered: Sequence[str]) -> str | None:
    """Return the first offered encoding that an `Accept-Encoding` names, or None for none.

    Browsers give no weights, so an encoding with a weight is not taken.
    """
    named = {name.strip() for name in accepted.split(",")}
    return next((name for name in offered if name in named), None)


# Complete, since machines register different types, and a browser runs neither a module nor a
# streamed wasm of a wrong type.
CONTENT_TYPES = {
    "": "application/octet-stream",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".md": "text/markdown; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".whl": "application/zip",
    ".woff2": "font/woff2",
    ".xml": "application/xml",
    ".zip": "application/zip",
}
"""The type of a file by the last suffix of its name."""

_IN_IMMUTABLE_FOLDER = re.compile(r"-[0-9a-f]{8}/[^/]")
"""Matches the path of a file in a folder that is named for its content."""


class SiteRequest(http.server.SimpleHTTPRequestHandler):
    """A request for a file, answered with a compressed sibling if the request accepts one."""

    protocol_version = "HTTP/1.1"

    extensions_map = CONTENT_TYPES

    suffixes: Mapping[str, str] = SUFFIXES
    """Those of the siblings that are sent, by their encodings; the smallest first."""

    status = HTTPStatus.OK
    """That of the response."""
    _encoding: str | None = None
    _is_negotiated = False

    def translate_path(self, path: str) -> str:
        """Return the file of a path, or the sibling to send instead."""
        name = super().translate_path(path)
        if path.partition("?")[0].partition("#")[0].endswith("/"):
            index = Path(name, "index.html")
            name = str(index) if index.is_file() else name
        siblings = {encoding: name + suffix for encoding, suffix in self.suffixes.items()}
        offered = [encoding for encoding in siblings if Path(siblings[encoding]).is_file()]
        self._is_negotiated = bool(offered)
        self._encoding = accepted_encoding(self.headers.get("Accept-Encoding", ""), offered)
        return name if self._encoding is None else siblings[self._encoding]

    def guess_type(self, path: str | os.PathLike[str]) -> str:
        """Return the type of the decompressed content."""
        name = os.fspath(path)
        if self._encoding is not None:
            name = name.removesuffix(self.suffixes[self._encoding])
        return super().guess_type(name)

    def send_response(self, code: int, message: str | None = None) -> None:
        """Send with the status the headers on the encoding."""
        super().send_response(code, message)
        self.status = HTTPStatus(code)
        if code in {HTTPStatus.OK, HTTPStatus.NOT_MODIFIED} and self._is_negotiated:
            self.send_header("Vary", "Accept-Encoding")
        if code == HTTPStatus.OK and self._encoding is not None:
            self.send_header("Content-Encoding", self._encoding)

    def end_headers(self) -> None:
        """Let the browser keep files that never change, and ask for the others each time.

        A reload then shows a rebuilt site.
        """
        is_there = self.status in {HTTPStatus.OK, HTTPStatus.NOT_MODIFIED}
        keeps = is_there and _IN_IMMUTABLE_FOLDER.search(self.path.partition("?")[0])
        self.send_header(
            "Cache-Control", "public, max-age=31536000, immutable" if keeps else "no-cache"
        )
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base's name
        """Log no requests, so that the line with the address stays the last one."""
