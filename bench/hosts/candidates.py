"""Every host that is measured, by the name that the report gives it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.hosts.sessions import HostStand, Session

YARDSTICK = "plain"


def candidates_on(stand: HostStand) -> dict[str, Callable[[], Session]]:
    """Return the function that measures each host, in the order of the report."""
    return {
        YARDSTICK: stand.plain,
        "cpython": stand.cpython,
        "chromium": lambda: stand.browser("chromium"),
        "firefox": lambda: stand.browser("firefox"),
        "webkit": stand.webkit,
        "node": lambda: stand.runtime("node"),
        "deno": lambda: stand.runtime("deno"),
        "bun": lambda: stand.runtime("bun"),
        "node-directory": lambda: stand.runtime("node", has_folders=True),
        "workerd": stand.workerd,
    }
