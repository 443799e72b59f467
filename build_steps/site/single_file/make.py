"""`dist/treeglass.html`: the page, the runtime and a tree, in one file without a server.

    page.html       the playground's page, with its styles and its script inside
    worker          the worker's script, as text
    assets, tree    data blocks of base64, gzipped unless they are compressed already

Base64 is a third larger than bytes, but the file is plain text, which no mail gateway, editor or
server changes.
"""

from __future__ import annotations

import base64
import json
import lzma
import shutil
import sys
import tarfile
import zipfile
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING

from build_steps.failure import BuildFailed
from build_steps.folders import DIST, NPM, PLAYGROUND, SITE, project_version, tree_files
from build_steps.freshness import empty_staging_folder, only_process, sha256_of
from build_steps.programs import run
from build_steps.runtime.assets import START_NAME, whole_modules
from build_steps.runtime.smaller.split import PART_ENDINGS
from build_steps.site.single_file.page import data_block, render_page
from build_steps.web.compress import compress
from build_steps.web.scripts import bundle_script

if TYPE_CHECKING:
    from pathlib import Path

_COMPRESSED_ALREADY = frozenset({".bz2", ".gz", ".tbz2", ".tgz", ".txz", ".whl", ".xz", ".zip"})


def require_sense(tree: Path | None, output: Path) -> None:
    """Check the arguments of `make_single_file`, before anything is made."""
    if tree is not None and not tree.is_dir() and not tree.is_file():
        raise BuildFailed(f"{tree} does not exist: name a directory or an archive by --tree.")
    if tree is not None and tree.is_file():
        require_archive(tree)
    if output.is_dir():
        raise BuildFailed(f"{output} is a directory: name a file by --output.")
    if output.parent != DIST and not output.parent.is_dir():
        raise BuildFailed(f"The folder {output.parent} does not exist: make it first.")


def make_single_file(tree: Path | None, output: Path) -> None:
    """Write the playground with a tree into one file, whole or not at all, and print its size.

    The same inputs give the same bytes, with the same zlib. Without a tree, it has the sample.
    """
    # Two at once would empty each other's folder, and delete each other's compressed files.
    with only_process("single file"):
        staging = empty_staging_folder("single file")
        if tree is None:
            text = _page(staging, SITE / _PLACE, "Sample project")
        else:
            text = _page(staging, *_chosen_tree(tree, staging))
    partial = output.with_name(f"{output.name}.part")
    try:
        partial.write_text(text, encoding="utf-8", newline="\n")
        partial.replace(output)
    except OSError as refusal:
        with suppress(OSError):
            partial.unlink()
        raise BuildFailed(
            f"{output} cannot be written ({refusal.strerror}): name another file by --output."
        ) from refusal
    print(f"  {'single file':<16} {output}: {output.stat().st_size:,} bytes", flush=True)


def _page(staging: Path, tree: Path, tree_name: str) -> str:
    # Without chunks, which would be other files.
    bundle_script(PLAYGROUND / "single-file" / "page.tsx", staging / "page.js")
    bundle_script(
        PLAYGROUND / "single-file" / "worker" / "worker.ts",
        staging / "worker.js",
        module_format="iife",
    )
    blocks = [
        data_block((staging / "worker.js").read_text("utf-8"), id="worker"),
        data_block((NPM / "THIRD-PARTY.md").read_text("utf-8"), id="third-party"),
        *_file_blocks(staging, tree),
    ]
    return render_page(
        SITE,
        blocks,
        script=(staging / "page.js").read_text("utf-8"),
        tree_name=tree_name,
        version=project_version(),
    )


def _file_blocks(staging: Path, tree: Path) -> list[str]:
    # A worker of a page without an address can fetch nothing at once, so no module is split.
    start, modules = whole_modules(json.loads((NPM / "assets" / START_NAME).read_text("utf-8")))
    start_file = staging / START_NAME
    start_file.write_text(json.dumps(start), encoding="utf-8", newline="\n")
    files = {
        **{
            f"assets/{file.relative_to(NPM / 'assets').as_posix()}": file
            for file in tree_files(NPM / "assets")
            # The page has a worker of its own.
            if file.name not in {"worker.js", START_NAME} and not file.name.endswith(PART_ENDINGS)
        },
        f"assets/{START_NAME}": start_file,
        **{f"assets/{path}": file for path, file in modules.items()},
        _PLACE: tree,
    }
    large = [file for file in files.values() if file.suffix not in _COMPRESSED_ALREADY]
    compressed = compress([(file, "gzip") for file in large], step="single-file")
    checked = {
        f"assets/{start['image'][part]['path']}" for part in ("interpreter", "sideModule", "memory")
    }
    blocks = []
    for path, file in files.items():
        attributes = {"data-path": path}
        if file in large:
            attributes["data-encoding"] = "gzip"
        if path not in checked:
            attributes["data-sha256"] = sha256_of(file)
        content = compressed.get((file, "gzip"), file).read_bytes()
        blocks.append(data_block(base64.b64encode(content).decode("ascii"), **attributes))
    return blocks


_READ_BYTES = 1024 * 1024

_PLACE = "sample-project.zip"
"""Where the page finds the archive of its first tree, relative to its folder."""

_BROKEN = (tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError)


def require_archive(chosen: Path) -> None:
    """Read all entries of an archive, as the page will when it mounts it."""
    try:
        _read_entries(chosen)
    except PermissionError as refusal:
        raise BuildFailed(
            f"{chosen} cannot be read ({refusal.strerror}): name a directory or an archive by "
            "--tree."
        ) from refusal
    except _BROKEN as fault:
        raise BuildFailed(
            f"{chosen} is not a sound archive, so the page could not mount it: name by --tree "
            "a directory, a zip archive, or a tar archive, plain or in gzip, bzip2 or xz."
        ) from fault


def _read_entries(chosen: Path) -> None:
    try:
        with tarfile.open(chosen) as archive:
            archive.getmembers()
            # Up to the checksum at the end, which the library checks only then.
            while archive.fileobj.read(_READ_BYTES):
                pass
    except tarfile.ReadError:
        # The library rejects names and versions that it does not know; the page accepts them.
        with suppress(UnicodeDecodeError, NotImplementedError), zipfile.ZipFile(chosen):
            pass


def _chosen_tree(chosen: Path, staging: Path) -> tuple[Path, str]:
    """Return a copy of an archive, or a directory packed by `treeglass pack`; and the name of it.

    A directory is packed without `.git` and without the files that its `.gitignore` files name.
    """
    name = chosen.resolve().name or "tree"
    if chosen.is_dir():
        archive = staging / f"{name}.zip"
        pack = (sys.executable, "-m", "treeglass", "pack")
        run(
            [*pack, chosen.resolve(), "-o", archive, "--gitignore"],
            otherwise=f"{chosen.resolve()} could not be packed: "
            "correct what stands above and run again.",
        )
    else:
        archive = staging / name
        shutil.copyfile(chosen, archive)
    return archive, name
