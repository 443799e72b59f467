"""`treeglass pack`: an archive or a manifest of a folder, in a file that is never half-written."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from urllib.parse import quote

from treeglass.command import OK
from treeglass.command.terminal import sanitize_for_terminal
from treeglass.errors import PackFailed, WorkspaceError, WorkspaceInvalid
from treeglass.escaping import escape_path
from treeglass.pack import PackReport, pack_manifest, pack_zip
from treeglass.workspace import Workspace

_PACKED = "/packed"
"""The virtual path of the directory in its workspace."""


def add_pack_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `treeglass pack` takes."""
    parser.description = (
        "Make an archive or a manifest of a directory, for a page that mounts it: the same bytes "
        "for the same tree. Entries that cannot be packed are left out and named on stderr."
    )
    parser.add_argument("directory", type=Path, metavar="DIR")
    parser.add_argument(
        *("-o", "--output"),
        type=_output,
        required=True,
        metavar="FILE",
        help="ends in .zip for an archive, in .json for a manifest",
    )
    parser.add_argument(
        "--gitignore",
        action="store_true",
        help="leave out .git and all that the .gitignore files inside DIR ignore",
    )
    parser.add_argument(
        "--base-url",
        type=_base_url,
        metavar="URL",
        help="of a manifest: the URL of DIR; by default the relative path from the manifest to DIR",
    )
    parser.add_argument(
        "--store",
        action="store_true",
        help="of a zip: do not deflate, so that HTTP can compress the whole better, and the bytes "
        "are the same with every zlib",
    )


def _output(text: str) -> Path:
    if not text.endswith((".zip", ".json")):
        raise argparse.ArgumentTypeError(f"{text!r} must end in .zip or .json")
    return Path(text)


def _base_url(text: str) -> str:
    if not text.endswith("/") or not text.isprintable():
        raise argparse.ArgumentTypeError(f"{text!r} must be a URL that ends in a slash")
    return text


def run_pack(options: argparse.Namespace) -> int:
    """Pack; name the entries left out on stderr, and sum up the packed ones on stdout."""
    directory: Path = options.directory
    output: Path = options.output
    _require_sense(directory, output)
    write = _writer(options)
    try:
        report = _write_whole(directory.resolve(), output.parent.resolve() / output.name, write)
    except WorkspaceError as error:
        raise WorkspaceInvalid(f"{str(directory)!r} cannot be packed: {error}") from None
    except OSError as error:
        raise PackFailed(f"{str(output)!r} cannot be written: {error.strerror}") from None
    for path, reason in report.left_out:
        sys.stderr.write(sanitize_for_terminal(f"left out {escape_path(path)}: {reason}") + "\n")
    count = f"{report.file_count:,} file{'' if report.file_count == 1 else 's'}"
    summary = f"{escape_path(str(output))}: {count}, {report.content_bytes:,} bytes"
    sys.stdout.buffer.write(sanitize_for_terminal(summary).encode() + b"\n")
    sys.stdout.buffer.flush()
    return OK


def _require_sense(directory: Path, output: Path) -> None:
    if not directory.is_dir():
        what = "is not a directory" if directory.exists() else "does not exist"
        raise WorkspaceInvalid(f"{str(directory)!r} {what}: name the directory to pack")
    if not output.parent.is_dir():
        raise WorkspaceInvalid(f"the folder {str(output.parent)!r} does not exist: make it first")
    if output.is_dir():
        raise WorkspaceInvalid(f"{str(output)!r} is a directory: name the file to write")


def _writer(options: argparse.Namespace) -> Callable[..., PackReport]:
    """Return the function that packs as the options say; they may contradict one another."""
    gitignore: bool = options.gitignore
    if options.output.suffix == ".zip":
        if options.base_url is not None:
            raise WorkspaceInvalid("--base-url is for a manifest: name an output in .json")
        return partial(
            pack_zip, store=options.store, modified_s=_source_date(), gitignore=gitignore
        )
    if options.store:
        raise WorkspaceInvalid("--store is for an archive: name an output in .zip")
    base_url = options.base_url or _relative_url(options.output.parent, options.directory)
    return partial(pack_manifest, base_url=base_url, gitignore=gitignore)


def _source_date() -> int | None:
    text = os.environ.get("SOURCE_DATE_EPOCH", "")
    if text and not re.fullmatch(r"[0-9]{1,15}", text):
        raise WorkspaceInvalid(f"SOURCE_DATE_EPOCH is {text!r}, not a number of seconds since 1970")
    return int(text) if text else None


def _relative_url(folder: Path, directory: Path) -> str:
    try:
        path = os.path.relpath(directory.resolve(), folder.resolve())
    except ValueError:
        raise WorkspaceInvalid(
            f"no relative path leads from {str(folder)!r} to {str(directory)!r}: give --base-url"
        ) from None
    return quote(os.fsencode(Path(path).as_posix())) + "/"


def _write_whole(directory: Path, target: Path, write: Callable[..., PackReport]) -> PackReport:
    unfinished = target.with_name(f".{target.name}.{os.urandom(4).hex()}.part")
    own: re.Pattern[str] | None = None
    if target.is_relative_to(directory):
        name = re.escape(target.name)
        within = target.parent.relative_to(directory).as_posix()
        folder = "" if within == "." else re.escape(f"{within}/")
        own = re.compile(rf"{folder}(?:{name}|\.{name}\.[0-9a-f]{{8}}\.part)")
    try:
        with unfinished.open("xb") as stream:
            report = write(
                *(Workspace({_PACKED: directory}), _PACKED, stream),
                exclude=lambda path: own is not None and own.fullmatch(path) is not None,
            )
        unfinished.replace(target)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    return report
