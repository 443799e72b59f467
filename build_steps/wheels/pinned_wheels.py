"""Wheels that a requirements file pins by hash: fetched once, checked each time."""

from __future__ import annotations

import json
import re
import sys
import time
import zipfile
from email import message_from_bytes
from fnmatch import fnmatch
from typing import TYPE_CHECKING, NamedTuple

from packaging.utils import parse_wheel_filename

from build_steps.failure import BuildFailed
from build_steps.folders import CACHE, NODE_MODULES, ROOT
from build_steps.freshness import empty_staging_folder, only_process, put_in_place, sha256_of
from build_steps.programs import run_quietly

if TYPE_CHECKING:
    from collections.abc import Sequence
    from email.message import Message
    from pathlib import Path

REQUIREMENTS = ROOT / "build_steps" / "wheels" / "runtime-wheels.txt"
"""The wheels that Pyodide loads beside ours, each with its SHA-256."""

_PYODIDE_LOCK = NODE_MODULES / "pyodide" / "pyodide-lock.json"


class Tags(NamedTuple):
    """What a compiled wheel must be for."""

    pyodide: str
    python: str
    abi: str
    platform: str


def interpreter_tags() -> Tags:
    """Return the tags of wheels for the Pyodide in `web/node_modules/`."""
    version = json.loads(_PYODIDE_LOCK.with_name("package.json").read_text("utf-8"))["version"]
    info = json.loads(_PYODIDE_LOCK.read_text(encoding="utf-8"))["info"]
    python = info["python"].rpartition(".")[0]
    abi = f"cp{python.replace('.', '')}"
    return Tags(version, python, abi, f"pyemscripten_{info['abi_version']}_{info['arch']}")


def target_of_pip() -> list[str]:
    """Return the options by which pip fetches wheels for the pinned Pyodide."""
    tags = interpreter_tags()
    return [
        *("--python-version", tags.python, "--implementation", "cp", "--abi", tags.abi),
        # pip takes pure wheels too.
        *("--abi", "none", "--platform", tags.platform),
    ]


def runtime_wheels() -> list[Path]:
    """Return the wheels of `REQUIREMENTS`, sorted by name, fetched if they are missing."""
    wheels = pinned_wheels(
        "runtime wheels", REQUIREMENTS, CACHE / "runtime-wheels", target=target_of_pip()
    )
    for wheel in wheels:
        check_tags(wheel.name, interpreter_tags())
    return wheels


def check_tags(wheel: str, tags: Tags) -> None:
    """Check that an interpreter can import a wheel, by its file name."""
    told = parse_wheel_filename(wheel)[3]
    if any((it.abi, it.platform) in ((tags.abi, tags.platform), ("none", "any")) for it in told):
        return
    raise BuildFailed(
        f"{wheel} is for another interpreter: Pyodide {tags.pyodide} needs the tags {tags.abi} and "
        f"{tags.platform}. Pin a wheel for it, by `python build.py adopt pydantic VERSION`."
    )


def pinned_wheels(name: str, pins: Path, folder: Path, *, target: Sequence[str] = ()) -> list[Path]:
    """Return the wheels of a requirements file, sorted; fetch them if the folder lacks one.

    The folder holds these wheels afterwards, and no others. Several processes may ask for the same
    wheels at the same time. `target` are options of pip for another Python than the running one.
    """
    pinned = set(re.findall(r"--hash=sha256:([0-9a-f]{64})", pins.read_text(encoding="utf-8")))
    with only_process(name):
        if _hashes_of(folder) == pinned:
            print(f"  {name:<16} up to date")
        else:
            started_s = time.monotonic()
            fetched = download_wheels(
                name,
                *("--require-hashes", "--requirement", str(pins), *target),
                otherwise=f"The {name} could not be fetched: "
                "check the network connection and run again.",
            )
            put_in_place(fetched, folder)
            if _hashes_of(folder) != pinned:
                raise BuildFailed(
                    f"The fetched wheels are not those of {pins.relative_to(ROOT).as_posix()}: "
                    f"remove {folder.relative_to(ROOT).as_posix()}/ and run again."
                )
            print(f"  {name:<16} fetched in {time.monotonic() - started_s:.1f} s")
    return sorted(folder.glob("*.whl"))


def _hashes_of(folder: Path) -> set[str]:
    return {sha256_of(wheel) for wheel in folder.glob("*.whl")}


def download_wheels(name: str, *asked: str, otherwise: str) -> Path:
    """Let pip fetch wheels without what they need, and return the staging folder that has them.

    What is asked are requirements, and options of pip.
    """
    staging = empty_staging_folder(name)
    run_quietly(
        [
            *(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"),
            *("--no-deps", "--only-binary=:all:", "--dest", str(staging), *asked),
        ],
        log_name=f"pip-download-{name.replace(' ', '-')}",
        otherwise=otherwise,
    )
    return staging


def metadata_of(wheel: Path) -> Message:
    """Return the fields of a wheel's METADATA."""
    (metadata,) = members_of(wheel, "*.dist-info/METADATA")
    return message_from_bytes(metadata)


def members_of(wheel: Path, pattern: str) -> list[bytes]:
    """Return the members of a wheel whose names a pattern matches."""
    with zipfile.ZipFile(wheel) as archive:
        return [archive.read(name) for name in archive.namelist() if fnmatch(name, pattern)]
