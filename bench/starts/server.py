"""Serve a folder over a throttled link, with the headers of production."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from build_steps.site.serve import SiteRequest, SiteServer

if TYPE_CHECKING:
    import io
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

_PIECE_BYTES = 64 * 1024


class Link(NamedTuple):
    """A link between the server and the browser, which every connection shares."""

    name: str
    """Its name on the command line."""
    label: str
    """Its name in the report."""
    megabits_per_s: float | None
    """None for the speed of loopback."""
    latency_ms: float
    """Before the first byte of each response."""


LINKS = (
    Link("loopback", "loopback", None, 0),
    Link("100mbit", "100 Mbit/s, 15 ms", 100, 15),
    Link("20mbit", "20 Mbit/s, 40 ms", 20, 40),
)

LINK_NAMES = tuple(link.name for link in LINKS)
LINK_LABELS = {link.name: link.label for link in LINKS}


class _Throttle:
    """Limits the bytes in a second on one link.

    Connections that send at the same time share it piece by piece.
    """

    def __init__(self, megabits_per_s: float | None) -> None:
        self._seconds_per_byte = 8 / (megabits_per_s * 1_000_000) if megabits_per_s else 0.0
        self._lock = threading.Lock()
        self._free_at_s = 0.0

    def wait_sent(self, count_bytes: int) -> None:
        """Wait until so many more bytes are sent."""
        if not self._seconds_per_byte:
            return
        with self._lock:
            starts_at_s = max(self._free_at_s, time.monotonic())
            self._free_at_s = starts_at_s + count_bytes * self._seconds_per_byte
            through_at_s = self._free_at_s
        time.sleep(max(0.0, through_at_s - time.monotonic()))


class Sent(NamedTuple):
    """One response."""

    path: str
    status: int
    body_bytes: int
    """The size of the body as it was sent, compressed or not."""


class Served(NamedTuple):
    """A running server."""

    origin: str
    """Its address, without a slash at the end."""
    log: list[Sent]

    def take_log(self) -> list[Sent]:
        """Return the responses that began since the last call."""
        taken, self.log[:] = list(self.log), []
        return taken


class _Request(SiteRequest):
    # Otherwise a small body waits 40 ms for the acknowledgement of its headers.
    disable_nagle_algorithm = True
    wbufsize = -1

    def __init__(
        self, *args: object, link: Link, throttle: _Throttle, log: list[Sent], directory: Path
    ) -> None:
        # On loopback, Brotli takes longer to decode than to send.
        self.suffixes = {} if link.megabits_per_s is None else {"br": ".br"}
        self._latency_s = link.latency_ms / 1000
        self._throttle = throttle
        self._log = log
        self._body_bytes = 0
        super().__init__(*args, directory=directory)  # type: ignore[arg-type]  # socketserver's three

    def send_head(self) -> io.BytesIO | BinaryIO | None:
        if self._latency_s:
            time.sleep(self._latency_s)
        self._body_bytes = 0
        return super().send_head()

    def send_header(self, keyword: str, value: str) -> None:
        super().send_header(keyword, value)
        if keyword == "Content-Length":
            self._body_bytes = int(value)

    def end_headers(self) -> None:
        # Logged before the page can see the response's end, or a reader of the log could miss it.
        self._log.append(Sent(urlsplit(self.path).path, self.status, self._body_bytes))
        super().end_headers()

    def copyfile(self, source: BinaryIO, outputfile: BinaryIO) -> None:  # type: ignore[override]  # the base takes less than it gets
        try:
            while piece := source.read(_PIECE_BYTES):
                self._throttle.wait_sent(len(piece))
                outputfile.write(piece)
            outputfile.flush()
        except ConnectionError:  # the browser was closed
            self.close_connection = True


@contextmanager
def serve(site: Path, link: Link) -> Iterator[Served]:
    """Serve a folder on loopback while the context lasts, over a link that connections share."""
    log: list[Sent] = []
    throttle = _Throttle(link.megabits_per_s)
    handler = partial(_Request, link=link, throttle=throttle, log=log, directory=site)
    with SiteServer(("127.0.0.1", 0), handler) as server:
        # An idle connection would be waited for at the end.
        server.block_on_close = False
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield Served(f"http://127.0.0.1:{server.server_port}", log)
        finally:
            server.shutdown()
            thread.join()
