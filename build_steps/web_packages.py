"""What the locks of npm pin: the packages of `web/`, and the runtimes of the tests."""

from __future__ import annotations

import shutil
import subprocess
import time
from typing import TYPE_CHECKING

from build_steps.failure import BuildFailed
from build_steps.folders import BUILD, NODE_MODULES, ROOT, WEB
from build_steps.freshness import sha256_of
from build_steps.programs import find_program, run_quietly

if TYPE_CHECKING:
    from pathlib import Path


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


_RUNTIMES = ROOT / "tests" / "edge" / "runtimes"

_RUNTIME_FILES = {"bun": "@oven/*/bin/bun*", "deno": "@deno/*/deno*"}
"""Where each runtime's packages, one for each kind of machine, have its program."""


def install_edge_runtimes() -> dict[str, Path]:
    """Install the runtimes that `tests/edge/runtimes/package-lock.json` pins, and return them.

    They lie in `build/edge-runtimes/`; where they come from that lock, nothing is done. A runtime
    that npm has for no machine like this one is left out of the answer.

    Raises:
        BuildFailed: npm is missing, or the packages cannot be fetched.
    """
    folder = BUILD / "edge-runtimes"
    installed = folder / "node_modules" / ".installed-from.sha256"
    fingerprint = sha256_of(_RUNTIMES / "package-lock.json")
    if not installed.is_file() or installed.read_text(encoding="utf-8") != fingerprint:
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copyfile(_RUNTIMES / name, folder / name)
        run_quietly(
            # Their scripts only put the program where the platform's package has it already.
            [find_program("npm"), "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
            folder=folder,
            log_name="npm-ci-edge-runtimes",
            otherwise="`npm ci` of tests/edge/runtimes failed: check the network connection "
            "and run again.",
        )
        installed.write_text(fingerprint, encoding="utf-8")
    found = {name: _program_of(folder / "node_modules", name) for name in _RUNTIME_FILES}
    return {name: program for name, program in found.items() if program is not None}


def _program_of(packages: Path, name: str) -> Path | None:
    # There may be one for processors with newer instructions, and one for other C libraries.
    programs = sorted(packages.glob(_RUNTIME_FILES[name]))
    return next((program for program in programs if _runs(program)), None)


def _runs(program: Path) -> bool:
    program.chmod(0o755)
    try:
        asked = subprocess.run([program, "--version"], capture_output=True, check=False)
    except OSError:
        return False
    return asked.returncode == 0
