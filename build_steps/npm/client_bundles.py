"""The modules of the npm package that use the client, and the client for workerd."""

from __future__ import annotations

import json
import shutil
import zipfile
from types import MappingProxyType
from typing import TYPE_CHECKING

from build_steps.folders import ROOT, WEB, WEB_SOURCES
from build_steps.programs import find_program, run

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_BESIDE_CLIENT = ROOT / "build_steps" / "npm" / "bundle_beside_client.mjs"
_FOR_WORKERD = ROOT / "build_steps" / "npm" / "bundle_workerd.mjs"


def bundle_beside_client(
    entries: Mapping[str, Path],
    folder: Path,
    *,
    client: str,
    beside: Mapping[str, Path] = MappingProxyType({}),
    is_for_pages: bool = True,
) -> None:
    """Bundle modules that use the client into one folder, with one copy of what they share.

    They import the client and its errors from `index.js`, whose address `client` is relative to
    the folder, and libraries of hosts by name. What is `beside` them, another call bundles.
    What is not for pages takes the errors alone from there: it keeps its names and its lines,
    which a program prints that ends by an error.
    """
    given = {
        "web": WEB,
        "output": folder,
        "client": client,
        "entries": dict(entries),
        "beside": dict(beside),
        "isForPages": is_for_pages,
    }
    run(
        [find_program("node"), _BESIDE_CLIENT, json.dumps(given, default=str)],
        otherwise="The adapters or the element in web/src could not be bundled: "
        "correct what esbuild says above and run again.",
    )


def add_workerd_client(package: Path) -> None:
    """Put `workerd.js` and `workerd/` into a package that has its `assets/` already.

    A Worker imports each file by a name that its bundlers have a rule for: `.wasm` is code,
    `.bin` is bytes. Pyodide, which other places start from, unpacks a wheel only by a name that
    ends in `.whl`. No name suits both, so `workerd/` holds a copy of each wheel. The other files
    are imported from `assets/`.
    """
    assets = package / "assets"
    start = json.loads((assets / "start.json").read_text(encoding="utf-8"))
    packages = assets / start["folders"]["packages"]
    (package / "workerd").mkdir()
    for wheel in packages.glob("*.whl"):
        _copy_without_code(wheel, package / "workerd" / f"{wheel.name}.bin")
    entry = WEB_SOURCES / "hosts" / "isolate" / "workerd.ts"
    run(
        [find_program("node"), _FOR_WORKERD, WEB, entry, assets, package / "workerd.js"],
        otherwise="web/src/hosts/isolate could not be bundled: "
        "correct what esbuild says above and run again.",
    )


def _copy_without_code(archive: Path, copy: Path) -> None:
    """Copy an archive without the compiled part of pydantic, which is imported as code."""
    with zipfile.ZipFile(archive) as whole:
        kept = [member for member in whole.infolist() if not member.filename.endswith(".so")]
        if len(kept) == len(whole.infolist()):
            shutil.copyfile(archive, copy)
            return
        with zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as rest:
            for member in kept:
                rest.writestr(member, whole.read(member))
