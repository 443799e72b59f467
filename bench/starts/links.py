"""Links between the server and the browser: their rates and latencies."""

from __future__ import annotations

import threading
import time
from typing import NamedTuple


class Link(NamedTuple):
    """A link that every connection to a server shares."""

    name: str
    """Its name on the command line."""
    label: str
    """Its name in the report."""
    megabits_per_s: float | None
    """None for the speed of loopback."""
    latency_ms: float
    """Before the first byte of each response."""

    @property
    def is_compressed(self) -> bool:
        """True if Brotli gains time: on loopback it takes longer to decode than to send."""
        return self.megabits_per_s is not None


LINKS = (
    Link("loopback", "loopback", None, 0),
    Link("100mbit", "100 Mbit/s, 15 ms", 100, 15),
    Link("20mbit", "20 Mbit/s, 40 ms", 20, 40),
)

LINK_NAMES = tuple(link.name for link in LINKS)
LINK_LABELS = {link.name: link.label for link in LINKS}


class Throttle:
    """Limits the bytes in a second on one link.

    Connections that send at the same time share it piece by piece.
    """

    def __init__(self, link: Link) -> None:
        rate = link.megabits_per_s
        self.is_compressed = link.is_compressed
        self._seconds_per_byte = 0.0 if rate is None else 8 / (rate * 1_000_000)
        self._latency_s = link.latency_ms / 1000
        self._lock = threading.Lock()
        self._free_at_s = 0.0

    def wait_latency(self) -> None:
        """Wait until a response may begin."""
        if self._latency_s:
            time.sleep(self._latency_s)

    def wait_sent(self, count_bytes: int) -> None:
        """Wait until so many more bytes are sent."""
        if not self._seconds_per_byte:
            return
        with self._lock:
            starts_at_s = max(self._free_at_s, time.monotonic())
            self._free_at_s = starts_at_s + count_bytes * self._seconds_per_byte
            through_at_s = self._free_at_s
        time.sleep(max(0.0, through_at_s - time.monotonic()))
