"""A package index on loopback, with everything that `micropip.install("treeglass")` fetches."""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from build_steps.folders import BUILD, WHEELS
from build_steps.wheels.pinned_wheels import pinned_wheels, runtime_wheels

if TYPE_CHECKING:
    from collections.abc import Mapping

_PIN = Path(__file__).parent / "micropip.txt"


def indexed_wheels() -> list[Path]:
    """Return the wheels of the index: ours, and the wheels that it needs in Pyodide."""
    return [next(WHEELS.glob("treeglass-*.whl")), *runtime_wheels()]


def index_page(wheels: Mapping[str, bytes], project: str) -> bytes:
    """Return a project's page in the HTML form, the only one whose addresses may be relative.

    Args:
        wheels: Name of a file to its content.
        project: Its normalised name.
    """
    links = [
        f'<a href="/wheels/{name}#sha256={_sha256(content)}" '
        f'data-core-metadata="sha256={_sha256(wheel_metadata(content))}">{name}</a>'
        for name, content in wheels.items()
        if project_of(name) == project
    ]
    return "\n".join(["<!doctype html>", f"<title>{project}</title>", *links]).encode()


def project_of(wheel_name: str) -> str:
    """Return the normalised name of a wheel's project."""
    return re.sub(r"[-_.]+", "-", wheel_name.partition("-")[0]).lower()


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def wheel_metadata(content: bytes) -> bytes:
    """Return the METADATA of a wheel."""
    with zipfile.ZipFile(io.BytesIO(content)) as wheel:
        name = next(name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
        return wheel.read(name)


def micropip_wheel() -> Path:
    """Return micropip's wheel, fetched if it is missing.

    Raises:
        BuildFailed: It cannot be fetched, or is another one than is pinned.
    """
    (wheel,) = pinned_wheels("micropip wheel", _PIN, BUILD / "bench" / "micropip")
    return wheel
