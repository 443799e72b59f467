"""Install what npm's locks pin: the packages of `web/`, and the runtimes for tests."""

from __future__ import annotations

import shutil
import time
from typing import TYPE_CHECKING

from build_steps.folders import BUILD, ROOT, WEB
from build_steps.freshness import empty_staging_folder, only_process, put_in_place, sha256_of
from build_steps.programs import find_program, is_runnable, run_quietly

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


_STAMP = "node_modules/.installed-from.sha256"
_WITHOUT_SCRIPTS = ("--ignore-scripts",)


def install_locked(
    name: str, folder: Path, *, into: Path | None = None, options: Sequence[str] = _WITHOUT_SCRIPTS
) -> Path:
    """Make a `node_modules/` agree with a `package-lock.json`; return the folder that holds both.

    A stamp says which lock a `node_modules/` was installed from; nothing is done if it is this
    one. Several processes may ask for the same folder at the same time.

    Args:
        name: Names the packages in messages, and the log file.
        folder: Holds `package.json` and `package-lock.json`.
        into: Another folder to install in, such as one of `build/`, put in place whole.
        options: More options for `npm ci`.
    """
    npm = find_program("npm")
    fingerprint = sha256_of(folder / "package-lock.json")
    place = into or folder
    with only_process(name):
        installed = place / _STAMP
        if installed.is_file() and installed.read_text(encoding="utf-8") == fingerprint:
            print(f"  {name:<16} up to date")
            return place
        print(f"  {name:<16} installing", flush=True)
        started_s = time.monotonic()
        workplace = folder if into is None else _copied(name, folder)
        run_quietly(
            [npm, "ci", *options, "--no-audit", "--no-fund"],
            folder=workplace,
            log_name=f"npm-ci-{name.replace(' ', '-')}",
            otherwise=f"`npm ci` of {folder.relative_to(ROOT).as_posix()}/ failed: "
            "check the network connection and run again.",
        )
        (workplace / _STAMP).write_text(fingerprint, encoding="utf-8")
        if into is not None:
            put_in_place(workplace, into)
        print(f"  {name:<16} installed in {time.monotonic() - started_s:.1f} s", flush=True)
    return place


def _copied(name: str, folder: Path) -> Path:
    staging = empty_staging_folder(name)
    for file in ("package.json", "package-lock.json"):
        shutil.copyfile(folder / file, staging / file)
    return staging


def install_web_packages() -> None:
    """Make `web/node_modules/` agree with `web/package-lock.json`."""
    find_program("node")
    install_locked("web packages", WEB, options=())


_RUNTIMES = ROOT / "tests" / "edge" / "runtimes"

_RUNTIME_FILES = {"bun": "@oven/*/bin/bun*", "deno": "@deno/*/deno*"}
"""The program of each runtime, in its npm packages: one for each kind of machine."""


def install_edge_runtimes() -> dict[str, Path]:
    """Install the runtimes that `tests/edge/runtimes/` pins, in `build/edge-runtimes/`.

    Returns each runtime's name and program, without those that npm lacks for this machine.
    """
    # Install scripts are not needed: they only move the program out of the platform's package.
    folder = install_locked("edge-runtimes", _RUNTIMES, into=BUILD / "edge-runtimes")
    found = {name: _program_of(folder / "node_modules", name) for name in _RUNTIME_FILES}
    return {name: program for name, program in found.items() if program is not None}


def _program_of(packages: Path, name: str) -> Path | None:
    # There may be others: for processors with newer instructions, and for other C libraries.
    programs = sorted(packages.glob(_RUNTIME_FILES[name]))
    for program in programs:
        program.chmod(0o755)
    return next(filter(is_runnable, programs), None)
