"""A mounted tree, packed, and the entries of its archive."""

import io
import stat
import zipfile
from pathlib import Path
from typing import NamedTuple

from treeglass import Limits, Workspace
from treeglass.pack import PackReport, pack_manifest, pack_zip
from treeglass.workspace.host import HostFileSystem


def mounted(
    tree: Path, *, limits: Limits | None = None, file_system: HostFileSystem | None = None
) -> Workspace:
    """Return a workspace that has the tree at `/tree`."""
    return Workspace({"/tree": tree}, limits=limits, file_system=file_system)


def zipped(
    workspace: Workspace, *, store: bool = False, gitignore: bool = False
) -> tuple[bytes, PackReport]:
    """Return the archive of `/tree`, and the report."""
    output = io.BytesIO()
    report = pack_zip(workspace, "/tree", output, store=store, gitignore=gitignore)
    return output.getvalue(), report


def listed(
    workspace: Workspace, *, base_url: str = "./", gitignore: bool = False
) -> tuple[str, PackReport]:
    """Return the manifest of `/tree`, and the report."""
    output = io.BytesIO()
    report = pack_manifest(workspace, "/tree", output, base_url=base_url, gitignore=gitignore)
    return output.getvalue().decode(), report


class Member(NamedTuple):
    """All that a zip says of one entry, except its position."""

    name: str
    mode: str
    time: tuple[int, ...]
    method: int
    content: bytes


def members(archive: bytes) -> list[Member]:
    """Return the entries of an archive, in its order."""
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return [
            Member(
                header.filename,
                stat.filemode(header.external_attr >> 16),
                header.date_time,
                header.compress_type,
                opened.read(header),
            )
            for header in opened.infolist()
        ]
