"""Links between the server and the browser: how fast bytes go, and how long an answer waits."""

from __future__ import annotations

import threading
import time
from typing import NamedTuple


class Link(NamedTuple):
    """A link that every connection to a server shares."""

    name: str
    """As an option of the command line spells it."""
    label: str
    """As a report spells it."""
    megabits_per_s: float | None
    """None: as fast as loopback is."""
    latency_ms: float
    """Before the first byte of each response."""

    @property
    def is_compressed(self) -> bool:
        """Whether Brotli gains time: on loopback it takes longer to decode than to send."""
        return self.megabits_per_s is not None


LINKS = (
    Link("loopback", "loopback", None, 0),
    Link("100mbit", "100 Mbit/s, 15 ms", 100, 15),
    Link("20mbit", "20 Mbit/s, 40 ms", 20, 40),
)

LINK_NAMES = tuple(link.name for link in LINKS)
LINK_LABELS = {link.name: link.label for link in LINKS}


class Throttle:
    """Lets bytes through one link, no more of them in a second than it carries.

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
        """Return when a response may begin."""
        if self._latency_s:
            time.sleep(self._latency_s)

    def wait_sent(self, count_bytes: int) -> None:
        """Return when so many more bytes are through."""
        if not self._seconds_per_byte:
            return
        with self._lock:
            starts_at_s = max(self._free_at_s, time.monotonic())
            self._free_at_s = starts_at_s + count_bytes * self._seconds_per_byte
            through_at_s = self._free_at_s
        time.sleep(max(0.0, through_at_s - time.monotonic()))
