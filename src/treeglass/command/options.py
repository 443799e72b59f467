"""Options that several commands take, and the values made from them."""

from __future__ import annotations

import argparse
import stat
from pathlib import Path

from treeglass.config import FAMILIES, Config, Family, document_of
from treeglass.errors import ConfigInvalid, WorkspaceError, WorkspaceInvalid
from treeglass.workspace import Workspace


def add_config(parser: argparse.ArgumentParser, default_family: Family = "all") -> None:
    """Declare `--config` and `--family`."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="a TOML or JSON document")
    parser.add_argument(
        "--family",
        choices=FAMILIES,
        help=f"whose tools are offered; default: what the configuration names, or {default_family}",
    )


def add_workspace(parser: argparse.ArgumentParser, default_family: Family = "all") -> None:
    """Declare the mounts and directories of a workspace, `--config` and `--family`."""
    parser.add_argument(
        "--mount",
        action="append",
        type=_mount,
        required=True,
        metavar="/PATH=DIR",
        help="show the directory DIR at the virtual path /PATH; may be repeated",
    )
    parser.add_argument("--project-root", metavar="PATH", help="virtual; default: the only mount")
    parser.add_argument("--working-dir", metavar="PATH", help="virtual; default: the project root")
    add_config(parser, default_family)


def workspace_arguments(options: argparse.Namespace) -> list[str]:
    """Return the options of a workspace and of its patch, as they are written."""
    written = [f"--mount={point}={directory}" for point, directory in options.mount]
    for name in ("project_root", "working_dir", "config", "patch"):
        value = getattr(options, name)
        if value is not None:
            written.append(f"--{name.replace('_', '-')}={value}")
    return written


def _mount(text: str) -> tuple[str, str]:
    point, separator, directory = text.partition("=")
    if not separator or not directory:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form /PATH=DIR")
    return point, directory


def byte_count(text: str) -> int:
    """Return a number of bytes; the type of an option."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of bytes")
    return int(text)


def config_of(options: argparse.Namespace) -> Config:
    """Return the configuration in the file of `--config`, or the default one; or `ConfigInvalid`.

    `--family` stands in for the file's own `family`.
    """
    path: Path | None = options.config
    document = {} if path is None else document_of(_text_in(path))
    tools = document.get("tools", {})
    if options.family is not None and isinstance(tools, dict):
        document["tools"] = {**tools, "family": options.family}
    return Config.from_object(document)


def _text_in(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise ConfigInvalid(f"cannot read {path}: {reason}") from None


def workspace_of(options: argparse.Namespace) -> Workspace:
    """Return the workspace that the options describe; `WorkspaceInvalid` says what is refused."""
    mounts: list[tuple[str, str]] = options.mount
    points = [point for point, _ in mounts]
    if len(set(points)) < len(points):
        raise WorkspaceInvalid("two mounts have the same virtual path")
    for point, directory in mounts:
        _require_folder(point, directory)
    workspace = Workspace(
        dict(mounts), project_root=options.project_root, working_dir=options.working_dir
    )
    _require_mounted(workspace, "--project-root", workspace.project_root)
    _require_mounted(workspace, "--working-dir", workspace.working_dir)
    return workspace


def _require_folder(point: str, directory: str) -> None:
    folder = Path(directory).absolute()
    try:
        is_folder, reason = stat.S_ISDIR(folder.stat().st_mode), "is not a folder"
    except FileNotFoundError:
        is_folder, reason = False, "does not exist"
    except OSError as error:
        is_folder, reason = False, f"cannot be used: {error.strerror}"
    if not is_folder:
        raise WorkspaceInvalid(
            f"--mount {point}={directory}: {str(folder)!r} {reason}; name the folder to mount"
        )


def _require_mounted(workspace: Workspace, option: str, path: str) -> None:
    try:
        workspace.require_directory(workspace.resolve(path))
    except WorkspaceError as error:
        mounts = ", ".join(workspace.mount_points)
        raise WorkspaceInvalid(
            f"{option} {path}: {error}; name a virtual directory, / or one in a mount: {mounts}"
        ) from None
