"""`bundle`: everything in `dist/`, each part only when it is stale."""

from __future__ import annotations

import time

from build_steps.assets import make_assets
from build_steps.npm_package import make_npm_package
from build_steps.runtime_wheels import runtime_wheels
from build_steps.site import make_site
from build_steps.web_packages import install_web_packages
from build_steps.wheel import make_wheel, wheel_path


def run() -> int:
    """Bundle, and say how long it took."""
    started_s = time.monotonic()
    make_dist()
    print(f"dist/ is ready, after {time.monotonic() - started_s:.1f} s.", flush=True)
    return 0


def make_dist() -> None:
    """Bring `dist/` up to date.

    Raises:
        BuildFailed: A step cannot be done; what stood in `dist/` before it stays.
    """
    make_wheel()
    install_web_packages()
    make_assets([wheel_path(), *runtime_wheels()])
    make_npm_package()
    make_site()
