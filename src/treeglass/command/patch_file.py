"""`--patch FILE`: the proposed changes as a patch in a file outside of every mount."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from treeglass.errors import PackFailed, WorkspaceInvalid
from treeglass.tool_names import TOOL_NAMES

if TYPE_CHECKING:
    import argparse

    from treeglass.config import Config
    from treeglass.workspace import Workspace


def add_patch(parser: argparse.ArgumentParser) -> None:
    """Declare `--patch`."""
    parser.add_argument(
        "--patch",
        type=Path,
        metavar="FILE",
        help="keep what the tools that change propose as a patch for git apply in FILE, which "
        "lies outside of every mount and holds nothing yet; the mounts are never written",
    )


def require_patch(options: argparse.Namespace, config: Config) -> None:
    """Raise `WorkspaceInvalid` if a tool that changes is offered, and no file is named for it."""
    changing = [tool[:2] for tool in TOOL_NAMES if tool.is_changing]
    tools = config.tools
    offered = sorted(tools.public_name(*tool) for tool in changing if tools.is_offered(*tool))
    if offered and options.patch is None:
        raise WorkspaceInvalid(
            f"the configuration offers {', '.join(offered)}, and nothing would keep the changes "
            "that it proposes: name a file for the patch by --patch FILE"
        )


def patch_file_of(options: argparse.Namespace, workspace: Workspace) -> PatchFile | None:
    """Return the file that `--patch` names, or None.

    `WorkspaceInvalid` says so if the file holds something: it may be changes that are not applied.
    """
    patch_file = begun_patch_file_of(options, workspace)
    path: Path | None = options.patch
    if path is not None and path.is_file() and (size := path.stat().st_size):
        raise WorkspaceInvalid(
            f"--patch {path}: the file holds {size:,} byte{'' if size == 1 else 's'}, perhaps "
            "changes that are not applied; apply them and move the file away, or name another"
        )
    return patch_file


def begun_patch_file_of(options: argparse.Namespace, workspace: Workspace) -> PatchFile | None:
    """Return the file that `--patch` names, or None; this command may have written it before."""
    if options.patch is None:
        return None
    return PatchFile(options.patch, [directory for _, directory in options.mount], workspace)


class PatchFile:
    """A file outside of the mounts that holds the patch of one workspace, from the first change on.

    The patch in it is always whole.
    """

    def __init__(self, path: Path, directories: list[str], workspace: Workspace) -> None:
        folder = path.absolute().parent
        if not folder.is_dir():
            raise WorkspaceInvalid(f"--patch {path}: the folder {str(folder)!r} does not exist")
        if path.is_dir():
            raise WorkspaceInvalid(f"--patch {path}: it is a folder; name the file to write")
        self._target = folder.resolve() / path.name
        for mounted in (Path(directory).absolute() for directory in directories):
            # The file itself may be a link, which is replaced and not followed.
            if self._target.is_relative_to(mounted.resolve()):
                raise WorkspaceInvalid(
                    f"--patch {path}: it lies in the mounted folder {str(mounted)!r}, which is "
                    "never written; name a file elsewhere"
                )
        self._workspace = workspace
        self._version = 0

    def write(self) -> None:
        """Write the patch beside the file and rename it, if a change was made since."""
        overlay = self._workspace.overlay
        version = overlay.version
        if version == self._version:
            return
        patch = overlay.export_patch()
        unfinished = self._target.with_name(f".{self._target.name}.{os.urandom(4).hex()}.part")
        try:
            with unfinished.open("xb") as stream:
                stream.write(patch)
            unfinished.replace(self._target)
        except OSError as error:
            unfinished.unlink(missing_ok=True)
            reason = error.strerror
            raise PackFailed(f"{str(self._target)!r} cannot be written: {reason}") from None
        self._version = version
