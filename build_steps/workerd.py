"""The client for workerd, in the npm package: `workerd.js`, and what it imports from beside it."""

from __future__ import annotations

import json
import shutil
import zipfile
from typing import TYPE_CHECKING

from build_steps.folders import ROOT, WEB
from build_steps.programs import find_program, run

if TYPE_CHECKING:
    from pathlib import Path

_ENTRY = WEB / "src" / "hosts" / "isolate" / "workerd.ts"
_BUNDLER = ROOT / "build_steps" / "bundle_workerd.mjs"


def add_workerd_client(package: Path) -> None:
    """Put `workerd.js` and `workerd/` into a package that has its `assets/` already.

    A Worker imports each file by a name that its bundlers have a rule for: `.wasm`
    is code, `.bin` is bytes. So the archives lie in `workerd/` a second time,
    under such a name; all else is imported from `assets/`.

    Raises:
        BuildFailed: The client does not bundle; esbuild has said why.
    """
    assets = package / "assets"
    start = json.loads((assets / "start.json").read_text(encoding="utf-8"))
    folders = [assets / name for name in start["folders"].values()]
    (package / "workerd").mkdir()
    for name in start["image"]["archives"]:
        (archive,) = (folder / name for folder in folders if (folder / name).is_file())
        _copy_without_code(archive, package / "workerd" / f"{name}.bin")
    run(
        [find_program("node"), _BUNDLER, WEB, _ENTRY, assets, package / "workerd.js"],
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
