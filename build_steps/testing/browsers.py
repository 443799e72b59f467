"""Browsers for the tests: named, found, or installed by apt-get, by Playwright or from npm.

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
from build_steps.testing.npm_chromium import install_npm_chromium

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

VARIABLE = "TREEGLASS_CHROMIUM"
"""The environment variable that names a Chromium, to this module and to the tests."""

NAMES = {
    "chromium": ("chromium", "chromium-browser", "google-chrome"),
    "firefox": ("firefox-esr", "firefox"),
}
"""The programs on the PATH that are each browser."""

BROWSERS = tuple(NAMES)
"""The browsers that are looked for; tests in WebKit are skipped where it is missing."""

WITHOUT_BROWSERS = ("tests/property", "tests/scale", "tests/unit")
"""Folders of tests that open no page."""


def browsers_of(pytest_arguments: Sequence[str]) -> tuple[str, ...]:
    """Return the browsers that the chosen tests need; the fast ones never need Firefox."""
    paths = [argument for argument in pytest_arguments if argument.startswith("tests")]
    if paths and all(path.startswith(WITHOUT_BROWSERS) for path in paths):
        return ()
    return BROWSERS if "--all" in pytest_arguments else ("chromium",)


def missing_browsers(pytest_arguments: Sequence[str]) -> list[str]:
    """Return a sentence for each browser of the chosen tests that is not here.

    Leaves out what apt-get may install. Looks only at what needs no program: the variable, the
    PATH, and the right to install.
    """
    refusal = _why_no_apt_get()
    return [
        f"The tests also need {browser}: {'; '.join([*tried, refusal])}."
        for browser in browsers_of(pytest_arguments)
        if (tried := _look(browser)) and refusal is not None
    ]


def make_sure_of_browsers(browsers: Iterable[str]) -> None:
    """Make sure that the tests find these browsers.

    Looks at the variable (Chromium only), on the PATH, and among Playwright's own browsers.
    Otherwise installs one: by apt-get, by Playwright, or from npm (Chromium only), which
    `TREEGLASS_CHROMIUM` then names to the tests.
    """
    for browser in browsers:
        tried = _look(browser)
        if not tried or _playwrights_own(browser).is_file():
            continue
        tried.append("Playwright has not installed its own")
        print(f"No {browser} was found: installing one.", flush=True)
        steps = [_by_apt_get, _by_playwright, *([_by_npm] if browser == "chromium" else [])]
        for step in steps:
            try:
                step(browser)
            except BuildFailed as failure:
                tried.append(str(failure).removesuffix(".").replace(". It printed", ": it printed"))
            else:
                break
        else:
            raise BuildFailed(
                f"The tests need {browser}, which could be neither found nor installed: "
                f"{'; '.join(tried)}. Put it on the PATH, and run again."
            )


def _look(browser: str) -> list[str]:
    """Return the places where a browser is not; nothing if it is in one of them."""
    tried = []
    if browser == "chromium":
        named = os.environ.get(VARIABLE)
        if named:
            if shutil.which(named) is None:
                raise BuildFailed(
                    f"{VARIABLE} names {named!r}, which cannot be run: correct or unset it."
                )
            return []
        tried.append(f"{VARIABLE} is not set")
    if any(map(shutil.which, NAMES[browser])):
        return []
    return [*tried, f"{' and '.join(NAMES[browser])} are not on the PATH"]


def _playwrights_own(browser: str) -> Path:
    # Not at the top: this import takes longer than all the imports of `bundle`.
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  # rarely needed

    with sync_playwright() as playwright:
        browser_type = playwright.chromium if browser == "chromium" else playwright.firefox
        return Path(browser_type.executable_path)


def _by_apt_get(browser: str) -> None:
    refusal = _why_no_apt_get()
    if refusal is not None:
        raise BuildFailed(refusal)
    failed = install_debian_packages([_DEBIAN_PACKAGES[browser]])
    # Ubuntu's package of that name may bring a program that starts nothing here.
    if failed or not any(map(shutil.which, NAMES[browser])):
        raise BuildFailed(f"apt-get could not install {_DEBIAN_PACKAGES[browser]}")


def _by_playwright(browser: str) -> None:
    run_quietly(
        [sys.executable, "-m", "playwright", "install", browser],
        log_name=f"playwright-install-{browser}",
        otherwise="Playwright could not fetch one.",
    )


def _by_npm(_browser: str) -> None:
    os.environ[VARIABLE] = str(install_npm_chromium())


_DEBIAN_PACKAGES = {"chromium": "chromium", "firefox": "firefox-esr"}

_PROGRAMS = {
    **{package: NAMES[browser] for browser, package in _DEBIAN_PACKAGES.items()},
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
    if _why_no_apt_get() is not None:
        return None
    # sudo drops the variable that keeps apt-get from asking.
    quiet = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]
    return quiet if runs_as_root() else ["sudo", "--non-interactive", *quiet]


def _why_no_apt_get() -> str | None:
    """Return why this user cannot install by apt-get, or None if it may."""
    if shutil.which("apt-get") is None:
        return "apt-get is not there"
    if runs_as_root() or (
        shutil.which("sudo") and _succeeds(["sudo", "--non-interactive", "true"])
    ):
        return None
    return "apt-get works for root alone, which this user may not become without a password"


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
