"""Serve resources from memory over a throttled link, with the headers of production."""

from __future__ import annotations

import hashlib
import threading
from contextlib import contextmanager
from functools import cached_property, partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from bench.starts.links import Link, Throttle

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_PIECE_BYTES = 64 * 1024


class Resource:
    """One file that is served.

    Args:
        content: Its bytes.
        content_type: The value of the header.
        cache_control: The value of the header.
        brotli: The same bytes compressed, or None if that saves nothing.
    """

    def __init__(
        self, content: bytes, content_type: str, cache_control: str, brotli: bytes | None
    ) -> None:
        self.content = content
        self.content_type = content_type
        self.cache_control = cache_control
        self.brotli = brotli

    @cached_property
    def etag(self) -> str:
        """The validator for a browser that has the file already."""
        return f'"{hashlib.sha256(self.content).hexdigest()[:16]}"'


class Sent(NamedTuple):
    """One response."""

    path: str
    status: int
    encoding: str
    body_bytes: int
    """The size of the body as it was sent, compressed or not."""


class Served:
    """A running server.

    Attributes:
        origin: Its address, without a slash at the end.
    """

    def __init__(self, origin: str, log: list[Sent]) -> None:
        self.origin = origin
        self._log = log

    def take_log(self) -> list[Sent]:
        """Return the responses that began since the last call."""
        taken, self._log[:] = list(self._log), []
        return taken


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Otherwise a small body waits 40 ms for the acknowledgement of its headers.
    disable_nagle_algorithm = True
    wbufsize = -1

    def __init__(
        self,
        *args: object,
        resources: Mapping[str, Resource],
        throttle: Throttle,
        log: list[Sent],
    ) -> None:
        self._resources = resources
        self._throttle = throttle
        self._log = log
        super().__init__(*args)  # type: ignore[arg-type]  # socketserver's three

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        resource = self._resources.get(path)
        self._throttle.wait_latency()
        if resource is None:
            self._answer(path, HTTPStatus.NOT_FOUND, {}, b"", "")
        elif self.headers.get("If-None-Match") == resource.etag:
            self._answer(path, HTTPStatus.NOT_MODIFIED, _caching(resource), b"", "")
        else:
            self._send_resource(path, resource)

    def _send_resource(self, path: str, resource: Resource) -> None:
        body, encoding = resource.content, ""
        is_compressed = self._throttle.is_compressed and self._accepts_brotli()
        if resource.brotli is not None and is_compressed:
            body, encoding = resource.brotli, "br"
        headers = {**_caching(resource), "Content-Type": resource.content_type}
        if encoding:
            headers["Content-Encoding"] = encoding
        self._answer(path, HTTPStatus.OK, headers, body, encoding)

    def _accepts_brotli(self) -> bool:
        accepted = self.headers.get("Accept-Encoding", "")
        return "br" in {name.partition(";")[0].strip() for name in accepted.split(",")}

    def _answer(
        self, path: str, status: int, headers: Mapping[str, str], body: bytes, encoding: str
    ) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if status != HTTPStatus.NOT_MODIFIED:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        # Logged before the page can see its end, or a reader of the log could miss it.
        self._log.append(Sent(path, status, encoding, len(body)))
        try:
            for start in range(0, len(body), _PIECE_BYTES):
                piece = body[start : start + _PIECE_BYTES]
                self._throttle.wait_sent(len(piece))
                self.wfile.write(piece)
            self.wfile.flush()
        except ConnectionError:  # the browser was closed
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Log nothing: the report lists what was sent."""


def _caching(resource: Resource) -> dict[str, str]:
    return {
        "Cache-Control": resource.cache_control,
        "ETag": resource.etag,
        "Vary": "Accept-Encoding",
    }


@contextmanager
def serve(resources: Mapping[str, Resource], link: Link) -> Iterator[Served]:
    """Serve on loopback while the context lasts.

    Args:
        resources: Path, with its slash at the start, to what is there.
        link: What every connection shares.
    """
    log: list[Sent] = []
    handler = partial(_Handler, resources=resources, throttle=Throttle(link), log=log)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        # An idle connection would be waited for at the end.
        server.block_on_close = False
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield Served(f"http://127.0.0.1:{server.server_port}", log)
        finally:
            server.shutdown()
            thread.join()
