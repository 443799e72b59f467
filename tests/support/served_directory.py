"""Serve a folder on loopback, with the types that browsers ask for."""

import os
import threading
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import contextmanager, suppress
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from build_steps.site.serve import CONTENT_TYPES

_TYPES = {
    **CONTENT_TYPES,
    ".map": "application/json",
    ".toml": "text/plain; charset=utf-8",
}

KEPT = {"Cache-Control": "max-age=86400"}
"""Headers for a folder that never changes while it is served, so that a browser asks once."""


class _Handler(SimpleHTTPRequestHandler):
    """Files of one folder and pages from memory, uncached, without a log."""

    protocol_version = "HTTP/1.1"
    extensions_map = _TYPES

    def __init__(
        self,
        *args: object,
        directory: str,
        pages: Mapping[str, bytes],
        headers: Mapping[str, str],
        own_headers: Mapping[str, Mapping[str, str]],
        asked: list[str],
        missing: AbstractSet[str],
    ) -> None:
        self._own_headers = own_headers
        self._missing = missing
        self._pages = pages
        self._headers = headers
        self._asked = asked
        super().__init__(*args, directory=directory)  # type: ignore[arg-type]  # socketserver's three

    def handle(self) -> None:
        """Answer until the browser leaves, which may be in the middle of a file."""
        with suppress(ConnectionError):
            super().handle()

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        self._asked.append(path)
        if path in self._missing:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        page = self._pages.get(path)
        if page is None:
            super().do_GET()
            return
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", self.guess_type(self.path.removesuffix("/") or "x.html"))
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def guess_type(self, path: str | os.PathLike[str]) -> str:
        """Return the type by the name's last suffix and nothing else."""
        suffix = Path(path).suffix.lower()
        return self.extensions_map.get(suffix, self.extensions_map[""])

    def end_headers(self) -> None:
        if "Cache-Control" not in self._headers:
            self.send_header("Cache-Control", "no-store")
        path = urlsplit(self.path).path
        for name, value in self._own_headers.get(path, self._headers).items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing: a test's output is its own."""


@contextmanager
def serve_directory(
    directory: Path,
    *,
    pages: Mapping[str, bytes] | None = None,
    headers: Mapping[str, str] | None = None,
    own_headers: Mapping[str, Mapping[str, str]] | None = None,
    asked: list[str] | None = None,
    missing: AbstractSet[str] = frozenset(),
) -> Iterator[str]:
    """Serve a folder on loopback while the context lasts; yields its origin.

    Args:
        directory: The folder at `/`.
        pages: Path to content of what is served besides, such as `/blank.html`;
            looked up at each request, so the caller may change it.
        headers: Added to every response, such as a Content-Security-Policy; a
            Cache-Control takes the place of the usual `no-store`.
        own_headers: By a path, the headers that its response has instead.
        asked: Takes the path of every request, in the order of their arrival.
        missing: Paths that are not served although the folder has them.
    """
    handler = partial(
        _Handler,
        directory=str(directory),
        pages={} if pages is None else pages,
        headers=dict(headers or {}),
        own_headers=dict(own_headers or {}),
        asked=[] if asked is None else asked,
        missing=missing,
    )
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
