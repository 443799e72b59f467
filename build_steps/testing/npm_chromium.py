"""The Chromium of npm's `@sparticuz/chromium`, for a machine that has no other: x64 Linux alone."""

from __future__ import annotations

import platform
import shutil
import sys
from typing import TYPE_CHECKING

from build_steps.failure import BuildFailed
from build_steps.folders import CACHE, ROOT
from build_steps.freshness import only_process
from build_steps.programs import find_program, run_quietly
from build_steps.web.packages import install_locked

if TYPE_CHECKING:
    from pathlib import Path

_PINNED = ROOT / "build_steps" / "testing" / "npm-chromium"
_INSTALLED = CACHE / "npm-chromium"
_PACKAGE = _INSTALLED / "node_modules" / "@sparticuz" / "chromium"
_UNPACKED = _INSTALLED / "unpacked"

_LAUNCHER = """\
#!/bin/sh
# Starts Chromium with the libraries that lie beside it, and with their font if the system has none.
here=$(cd -- "$(dirname -- "$0")" && pwd)
[ -f /etc/fonts/fonts.conf ] || export FONTCONFIG_FILE="$here/fonts.conf"
LD_LIBRARY_PATH="$here/al2023/lib" exec "$here/chromium" "$@"
"""

# The package's own file names folders of another system; without a font Chromium ends.
_FONTS = """\
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
"""


def install_npm_chromium() -> Path:
    """Return a program that starts the Chromium of npm, installed in `.cache/` if necessary."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        raise BuildFailed("npm has one for Linux on x64 processors only")
    # npm's packages of several versions of Node.js warn of this one, and unpack all the same.
    install_locked("npm-chromium", _PINNED, into=_INSTALLED)
    launcher = _UNPACKED / "launch"
    with only_process("npm-chromium"):
        if not launcher.is_file():
            _unpack(launcher)
    return launcher


def _unpack(launcher: Path) -> None:
    # A folder that an interrupted build has left may hold half a file.
    shutil.rmtree(_UNPACKED, ignore_errors=True)
    _UNPACKED.mkdir()
    run_quietly(
        [find_program("node"), _PINNED / "unpack.mjs", _PACKAGE, _UNPACKED],
        log_name="npm-chromium-unpack",
        otherwise="npm's could not be unpacked.",
    )
    (_UNPACKED / "fonts.conf").write_text(_FONTS, encoding="utf-8", newline="\n")
    launcher.write_text(_LAUNCHER, encoding="utf-8", newline="\n")
    launcher.chmod(0o755)
