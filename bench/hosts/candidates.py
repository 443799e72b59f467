"""Every host that is measured, by the name that the report gives it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from build_steps.programs import find_program

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.hosts.sessions import HostStand, Session

YARDSTICK = "plain"


def candidates_on(stand: HostStand) -> dict[str, Callable[[], Session]]:
    """Return what measures each host, in the order of the report."""
    node = [find_program("node")]
    return {
        YARDSTICK: stand.plain,
        "cpython": stand.cpython,
        "chromium": lambda: stand.browser("chromium"),
        "firefox": lambda: stand.browser("firefox"),
        "node": lambda: stand.runtime("Node", node),
        "node-directory": lambda: stand.runtime("Node", node, has_folders=True),
    }
