"""The wheel: the same bytes from the same sources, on any machine.

Zopfli packs it again, without entries for folders: it is 3 % smaller than uv's, which each page
that installs it saves, and takes 3 s here.
"""

from __future__ import annotations

import shutil
import struct
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

import zopfli.zlib  # type: ignore[import-untyped]  # it has no types

from build_steps.failure import BuildFailed
from build_steps.folders import ROOT, WHEELS, project_version, tree_files
from build_steps.freshness import empty_staging_folder, put_in_place, remake_when_stale
from build_steps.packaged_pages import published_readme
from build_steps.programs import find_program, run


def wheel_path() -> Path:
    """Return the path of this version's wheel, which may not be built yet."""
    return WHEELS / f"treeglass-{project_version()}-py3-none-any.whl"


def make_wheel() -> None:
    """Bring `dist/wheels/` up to date; it holds the wheel alone."""
    described_by = [ROOT / name for name in ("pyproject.toml", "README.md", "LICENSE")]
    remake_when_stale(
        "wheel",
        inputs=[*described_by, *tree_files(ROOT / "src" / "treeglass")],
        outputs=[wheel_path()],
        make=_make,
    )


def _make() -> None:
    staging = empty_staging_folder("wheels")
    build_wheel_into(staging)
    if not (staging / wheel_path().name).is_file():
        raise BuildFailed(f"The wheel was built under another name than {wheel_path().name}.")
    put_in_place(staging, WHEELS)


def build_wheel_into(folder: Path, *, sources: Path = ROOT) -> None:
    """Build the wheel of a source tree into a folder without other wheels."""
    with TemporaryDirectory(prefix="treeglass-") as made:
        staging = Path(made)
        shutil.copytree(sources / "src", staging / "src")
        for name in ("pyproject.toml", "LICENSE"):
            shutil.copyfile(sources / name, staging / name)
        readme = published_readme((sources / "README.md").read_text("utf-8"))
        (staging / "README.md").write_text(readme, encoding="utf-8", newline="\n")
        run(
            [
                find_program("uv"),
                "build",
                "--quiet",
                "--wheel",
                "--no-create-gitignore",
                "--out-dir",
                folder,
                staging,
            ],
            otherwise="The wheel could not be built: correct what uv says above and run again.",
        )
    for wheel in folder.glob("*.whl"):
        wheel.write_bytes(_pack_tightly(wheel))


_UTF8_NAMES = 0x800
_MADE_ON_UNIX = 3
_VERSION_NEEDED = 20
_FIRST_DAY = (1 << 5) | 1
"""1980-01-01, in the form of a zip."""


def _pack_tightly(archive: Path) -> bytes:
    """Return an archive with the same files, deflated by Zopfli.

    It is written here since `zipfile` takes no content that is deflated already.
    """
    entries, directory = bytearray(), bytearray()
    with zipfile.ZipFile(archive) as opened:
        members = [member for member in opened.infolist() if not member.is_dir()]
        for member in members:
            content = opened.read(member)
            # Without the header and the checksum of zlib's format.
            packed = zopfli.zlib.compress(content)[2:-4]
            method = zipfile.ZIP_DEFLATED
            if len(packed) >= len(content):
                packed, method = content, zipfile.ZIP_STORED
            name = member.filename.encode()
            shared = struct.pack(
                "<5H3I2H",
                *(_VERSION_NEEDED, _UTF8_NAMES, method, 0, _FIRST_DAY),
                *(member.CRC, len(packed), len(content), len(name), 0),
            )
            directory += b"PK\1\2" + struct.pack("<H", _MADE_ON_UNIX << 8 | _VERSION_NEEDED)
            directory += shared
            directory += struct.pack("<3H2I", 0, 0, 0, member.external_attr, len(entries)) + name
            entries += b"PK\3\4" + shared + name + packed
    counted = (len(members), len(members), len(directory), len(entries))
    return bytes(entries + directory) + b"PK\5\6" + struct.pack("<4H2IH", 0, 0, *counted, 0)
