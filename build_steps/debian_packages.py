"""Browsers from Debian's archive, where there is apt-get and this user may use it.

As a program it installs all of them, and prints the hosts that the tests must find then: `all`, or
all but WebKit where apt-get refused it. Chromium and Firefox can be had from Playwright too.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_PROGRAMS = {
    "chromium": ("chromium", "chromium-browser", "google-chrome"),
    "firefox-esr": ("firefox-esr", "firefox"),
    "webkit2gtk-driver": ("WebKitWebDriver",),
    "xvfb": ("Xvfb",),
}
"""Each package, and the programs of which one has to be on the PATH."""

WEBKIT = ("webkit2gtk-driver", "xvfb")
"""The packages that WebKit takes."""

_ALL_BUT_WEBKIT = "chromium,firefox,node,deno,bun,workerd"


def install_debian_packages(packages: Iterable[str]) -> list[str]:
    """Install those of the packages whose programs are missing, and return what cannot be had.

    What apt-get says goes to standard error.
    """
    wanted = [name for name in packages if not any(map(shutil.which, _PROGRAMS[name]))]
    if not wanted:
        return []
    apt_get = _apt_get()
    if apt_get is None:
        return wanted
    # Where this is refused, what is known from before may do.
    _succeeds([*apt_get, "update", "--quiet=2"])
    # One at a time: a package that is not to be had keeps none of the others away.
    install = [*apt_get, "install", "--quiet=2", "--yes", "--no-install-recommends"]
    return [name for name in wanted if not _succeeds([*install, name])]


def _apt_get() -> list[str] | None:
    """Return what calls apt-get as root, or None where nothing does."""
    found, sudo = shutil.which("apt-get"), shutil.which("sudo")
    if found is None:
        return None
    # sudo drops the variable that keeps apt-get from asking.
    quiet = ["env", "DEBIAN_FRONTEND=noninteractive", found]
    if os.geteuid() == 0:
        return quiet
    return None if sudo is None else [sudo, "--non-interactive", *quiet]


def _succeeds(command: list[str]) -> bool:
    return subprocess.run(command, stdout=sys.stderr, check=False).returncode == 0


def main() -> None:
    """Install everything, and print which hosts have to be here then."""
    refused = install_debian_packages(_PROGRAMS)
    if set(refused) & set(WEBKIT):
        print(
            f"apt-get cannot give {' and '.join(refused)} here: WebKit is not tested.",
            file=sys.stderr,
        )
        print(_ALL_BUT_WEBKIT)
    else:
        print("all")


if __name__ == "__main__":
    main()
