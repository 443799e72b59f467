"""`serve`: the playground and the documentation on loopback, for one person and the tests."""

from __future__ import annotations

import http.server
import os
import re
import signal
import socket
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, NoReturn

from build_steps.bundle import make_dist
from build_steps.failure import BuildFailed
from build_steps.folders import SITE
from build_steps.precompressed import PrecompressedRequest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
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
    # A terminal sends Ctrl-C to us and to `uv run`, which hands its own on:
    # the second one would interrupt the ending.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


def open_site_server(site: Path, *, host: str, port: int) -> SiteServer:
    """Return a server that already listens, on a free port where this one is taken.

    Raises:
        BuildFailed: The host is no address of this machine, or the port is not
            for this user.
    """
    handler = partial(_SiteRequest, directory=os.fspath(site))
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
            f"{host} is no address to serve on ({refusal.strerror}): "
            "give another one with --host, or none for 127.0.0.1."
        ) from refusal


class SiteServer(http.server.ThreadingHTTPServer):
    """A server of static files that never shares its port with another one."""

    # On Windows this option lets two servers have one port, and on Linux the
    # second one does: the page would come from whichever was asked first.
    allow_reuse_address = os.name != "nt"
    allow_reuse_port = False
    daemon_threads = True

    def __init__(
        self, address: tuple[str, int], handler: Callable[..., BaseRequestHandler]
    ) -> None:
        if ":" in address[0]:
            self.address_family = socket.AF_INET6
        super().__init__(address, handler)


_IN_IMMUTABLE_FOLDER = re.compile(r"-[0-9a-f]{8}/[^/]")
"""What stands in the path of a file whose folder is named for what lies in it."""


class _SiteRequest(PrecompressedRequest):
    protocol_version = "HTTP/1.1"

    # Given here in full, since the types that a machine has registered differ,
    # and a browser runs neither a module nor a streamed wasm of another type.
    extensions_map = {  # noqa: RUF012  # the base class declares it so
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
        ".zip": "application/zip",
    }

    def end_headers(self) -> None:
        """Have the browser keep what cannot change, and ask each time for all else.

        So a rebuilt site is seen at the next reload.
        """
        is_there = self.status in {HTTPStatus.OK, HTTPStatus.NOT_MODIFIED}
        keeps = is_there and _IN_IMMUTABLE_FOLDER.search(self.path.partition("?")[0])
        self.send_header(
            "Cache-Control", "public, max-age=31536000, immutable" if keeps else "no-cache"
        )
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base's name
        """Say nothing of each request: the line with the address stays the last one."""
