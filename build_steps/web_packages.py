"""What `web/package-lock.json` pins, in `web/node_modules/`."""

from __future__ import annotations

import time

from build_steps.failure import BuildFailed
from build_steps.folders import NODE_MODULES, WEB
from build_steps.freshness import sha256_of
from build_steps.programs import find_program, run_quietly


def install_web_packages() -> None:
    """Make `web/node_modules/` agree with `web/package-lock.json`.

    A stamp in the folder tells which lock it was installed from; where that is
    ours, nothing is done.

    Raises:
        BuildFailed: Node.js or npm is missing, or the packages cannot be fetched.
    """
    find_program("node")
    npm = find_program("npm")
    wanted = WEB / "package-lock.json"
    installed = NODE_MODULES / ".installed-from.sha256"
    if not wanted.is_file():
        raise BuildFailed("web/package-lock.json is missing: restore it from the repository.")
    fingerprint = sha256_of(wanted)
    if installed.is_file() and installed.read_text(encoding="utf-8") == fingerprint:
        print(f"  {'web packages':<16} up to date")
        return
    print(f"  {'web packages':<16} installing", flush=True)
    started_s = time.monotonic()
    run_quietly(
        [npm, "ci", "--no-audit", "--no-fund"],
        folder=WEB,
        log_name="npm-ci",
        otherwise="`npm ci` in web/ failed: check the network connection and run again.",
    )
    installed.write_text(fingerprint, encoding="utf-8")
    print(f"  {'web packages':<16} installed in {time.monotonic() - started_s:.1f} s", flush=True)
