"""Browsers for the tests: named, found, or installed by Playwright or from Debian's archive.

As a program it installs Debian's packages of all browsers, and prints the value of
`TREEGLASS_HOSTS` for this machine: `all`, or every host except WebKit if apt-get refused it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from build_steps.failure import BuildFailed
from build_steps.programs import run_quietly, runs_as_root

if TYPE_CHECKING:
    from collections.abc import Iterable

VARIABLE = "TREEGLASS_CHROMIUM"
"""The environment variable that names a Chromium, to this module and to the tests."""

_NAMES = {
    "chromium": ("chromium", "chromium-browser", "google-chrome"),
    "firefox": ("firefox-esr", "firefox"),
}


def make_sure_of_browsers() -> None:
    """Make sure that the tests find a Chromium and a Firefox.

    They look at the variable (Chromium only), then on the PATH, then among Playwright's own
    browsers; a browser that is in none of these is installed among Playwright's.

    Raises:
        BuildFailed: One is missing and could not be installed.
    """
    named = os.environ.get(VARIABLE)
    if named and shutil.which(named) is None:
        raise BuildFailed(f"{VARIABLE} names {named!r}, which cannot be run: correct or unset it.")
    missing = [
        browser
        for browser, names in _NAMES.items()
        if not (named and browser == "chromium") and not any(map(shutil.which, names))
    ]
    for browser in missing:
        if not _playwrights_own(browser).is_file():
            _install(browser)


def _playwrights_own(browser: str) -> Path:
    # Not at the top: this import takes longer than all the imports of `bundle`.
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  # rarely needed

    with sync_playwright() as playwright:
        browser_type = playwright.chromium if browser == "chromium" else playwright.firefox
        return Path(browser_type.executable_path)


def _install(browser: str) -> None:
    print(f"No {browser} was found: installing Playwright's own.", flush=True)
    run_quietly(
        [sys.executable, "-m", "playwright", "install", browser],
        log_name=f"playwright-install-{browser}",
        otherwise=f"The browser tests need {browser}, and it could not be installed: "
        f"put one of {', '.join(_NAMES[browser])} on the PATH.",
    )


_PROGRAMS = {
    "chromium": ("chromium", "chromium-browser", "google-chrome"),
    "firefox-esr": ("firefox-esr", "firefox"),
    "webkit2gtk-driver": ("WebKitWebDriver",),
    "xvfb": ("Xvfb",),
}
"""Each Debian package, and its possible programs; one of them must be on the PATH."""

WEBKIT = ("webkit2gtk-driver", "xvfb")
"""The packages that tests in WebKit need."""

_ALL_BUT_WEBKIT = "chromium,firefox,node,deno,bun,workerd"


def install_debian_packages(packages: Iterable[str]) -> list[str]:
    """Install the packages whose programs are missing, and return those that failed.

    The output of apt-get goes to standard error.
    """
    wanted = [name for name in packages if not any(map(shutil.which, _PROGRAMS[name]))]
    if not wanted:
        return []
    apt_get = _apt_get()
    if apt_get is None:
        return wanted
    # If this fails, the package lists of an earlier update may do.
    _succeeds([*apt_get, "update", "--quiet=2"])
    # One at a time, so that a package that fails does not prevent the others.
    install = [*apt_get, "install", "--quiet=2", "--yes", "--no-install-recommends"]
    return [name for name in wanted if not _succeeds([*install, name])]


def _apt_get() -> list[str] | None:
    """Return the command that runs apt-get as root, or None if this user cannot."""
    found, sudo = shutil.which("apt-get"), shutil.which("sudo")
    if found is None:
        return None
    # sudo drops the variable that keeps apt-get from asking.
    quiet = ["env", "DEBIAN_FRONTEND=noninteractive", found]
    if runs_as_root():
        return quiet
    return None if sudo is None else [sudo, "--non-interactive", *quiet]


def _succeeds(command: list[str]) -> bool:
    return subprocess.run(command, stdout=sys.stderr, check=False).returncode == 0


def main() -> None:
    """Install every package, and print the hosts that the tests must then find."""
    refused = install_debian_packages(_PROGRAMS)
    refused_webkit = bool(set(refused) & set(WEBKIT))
    if refused_webkit:
        print(
            f"apt-get cannot install {' and '.join(refused)} here: WebKit is not tested.",
            file=sys.stderr,
        )
    # Without a line end: a shell on Windows would keep half of it in the value.
    print(_ALL_BUT_WEBKIT if refused_webkit else "all", end="")


if __name__ == "__main__":
    main()
