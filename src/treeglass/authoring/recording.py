"""Ask a demo's tool on CPython for exactly the bytes that a browser answers with."""

from __future__ import annotations

import base64
import hashlib
import io
import re
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path  # noqa: TC003  # the documentation shows the signatures
from typing import BinaryIO

from treeglass.authoring.demo import (
    Demo,
    DemoInvalid,
    InlineTree,
    NotRecordable,
    TreeAt,
    TreeOfPackage,
    parse_config,
)
from treeglass.authoring.javascript_json import parse_json, write_json
from treeglass.authoring.trees.entries_source import add_entries
from treeglass.authoring.trees.manifest_source import (
    ManifestFiles,
    add_manifest,
    is_manifest,
    read_manifest,
)
from treeglass.authoring.trees.memory_file_system import TOP, MemoryFileSystem
from treeglass.authoring.trees.tar_check import refuse_tar
from treeglass.authoring.trees.tree_in_memory import TreeBuilder
from treeglass.authoring.trees.zip_source import add_zip
from treeglass.config import Config
from treeglass.errors import PackFailed, WorkspaceError
from treeglass.pack import pack_zip
from treeglass.registry import ToolRegistry
from treeglass.tools.builtin import BUILTIN_TOOLS
from treeglass.workspace import Workspace, require_virtual

START_BYTES = 512
"""Bytes at the start of a tree's file that are enough to tell its kind."""

_PACKED = "/packed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A recorded answer."""

    content: str
    """Exactly the content that the browser's answer has."""
    is_error: bool
    """True if the tool answered with an error."""


def record_answer(demo: Demo, tree: Path | None, *, root: Path | None = None) -> Recording:
    """Answer a demo's call as a browser with the demo's tree would.

    The clock stands still, so `LS` reports 1 ms, the smallest duration that it
    reports. Nothing is fetched and nothing is extracted: whatever an archive
    contains, no byte of it reaches a disk.

    Args:
        demo: The call.
        tree: The place on this disk that the demo's `TreeAt` names: a zip archive,
            a manifest, or a directory, which stands for the archive that
            `treeglass pack` makes of it. None if the entries are in the page, or
            if the tree is not on this disk.
        root: The folder that must contain the files of a manifest; by default
            the manifest's own.

    Raises:
        NotRecordable: The tree lies on another host, or a file that the tool reads
            does; or the tree is an archive of another kind than zip.
        DemoInvalid: The tool is unknown; the tree or a file that the tool reads is
            missing, is broken, or does not match the manifest or the integrity.

    Example:
        >>> tree = InlineTree('{"a.txt": "hello"}')
        >>> demo = Demo(tool="read_file", tree=tree, arguments='{"file_path": "/repo/a.txt"}')
        >>> record_answer(demo, None)
        Recording(content='L1: hello', is_error=False)
    """
    config = Config() if demo.config is None else parse_config(demo.config)
    _require_tool(demo.tool, config)
    mount_path = require_virtual(demo.mount_path, "mount-path")
    builder = TreeBuilder(mount_path)
    with ExitStack() as stack:
        if isinstance(demo.tree, InlineTree):
            add_entries(demo.tree.entries_json, builder)
        elif isinstance(demo.tree, TreeOfPackage):
            raise NotRecordable(f"{demo.tree.kind} packages are not fetched to record an answer")
        elif tree is None:
            raise NotRecordable(
                f"{demo.tree.address!r} is not a file of the site, and nothing is fetched to "
                "record an answer"
            )
        else:
            _fill(builder, demo.tree, tree, root or tree.parent, stack)
        return _answer(demo, config, builder, mount_path)


def _require_tool(name: str, config: Config) -> None:
    # Two families share some names.
    names = list(dict.fromkeys(tool.name for tool in BUILTIN_TOOLS))
    if name not in names and name not in config.tools.names.values():
        raise DemoInvalid(f"unknown tool {name!r}; choose {', '.join(names[:-1])} or {names[-1]}")


def _answer(demo: Demo, config: Config, builder: TreeBuilder, mount_path: str) -> Recording:
    tree = MemoryFileSystem(builder.root)
    workspace = Workspace({mount_path: TOP}, file_system=tree)
    registry = ToolRegistry(workspace, config, clock=lambda: 0.0)
    # As text, as a page sends it: its size counts, and two spellings of one value are one.
    arguments = write_json(parse_json(demo.arguments))
    result = registry.call_tool(demo.tool, arguments, max_output_bytes=demo.max_output_bytes)
    if tree.faults:
        raise DemoInvalid("; ".join(dict.fromkeys(tree.faults)))
    if tree.absences:
        raise NotRecordable("; ".join(dict.fromkeys(tree.absences)))
    return Recording(content=result.content, is_error=result.is_error)


def _fill(builder: TreeBuilder, named: TreeAt, tree: Path, root: Path, stack: ExitStack) -> None:
    try:
        file = _packed(tree) if tree.is_dir() else stack.enter_context(tree.open("rb"))
        start = file.read(START_BYTES)
        file.seek(0)
        if named.integrity is not None:
            require_integrity(file.read(), named.integrity)
            file.seek(0)
        if is_manifest(start):
            add_manifest(read_manifest(file), ManifestFiles(tree.parent, root), builder)
            return
    except FileNotFoundError:
        raise DemoInvalid(f"the tree {named.address!r} does not exist; check the path") from None
    except OSError as error:
        raise DemoInvalid(f"the tree {named.address!r} cannot be read: {error.strerror}") from None
    refuse_tar(file, named.address)
    add_zip(file, builder)


def _packed(directory: Path) -> BinaryIO:
    output = io.BytesIO()
    try:
        pack_zip(Workspace({_PACKED: directory}), _PACKED, output, store=True)
    except (PackFailed, WorkspaceError) as error:
        raise DemoInvalid(f"the tree {directory.name!r} cannot be packed: {error}") from None
    output.seek(0)
    return output


_ALGORITHMS = ("sha256", "sha384", "sha512")
"""The weakest first."""
_HASH = re.compile(r"(sha256|sha384|sha512)-([A-Za-z0-9+/_-]+={0,2})(?:\?.*)?")


def require_integrity(content: bytes, integrity: str) -> None:
    """Raise `DemoInvalid` unless bytes have one of the hashes of the strongest algorithm named."""
    named = [match.groups() for token in integrity.split() if (match := _HASH.fullmatch(token))]
    if not named:
        raise DemoInvalid(
            f"integrity {integrity!r} has no hash that HTML knows; write one such as sha384-…"
        )
    strongest = max((algorithm for algorithm, _ in named), key=_ALGORITHMS.index)
    digest = hashlib.new(strongest, content).digest()
    actual = base64.b64encode(digest).decode().rstrip("=")
    expected = [
        value.replace("-", "+").replace("_", "/").rstrip("=")
        for algorithm, value in named
        if algorithm == strongest
    ]
    if actual not in expected:
        raise DemoInvalid(
            f"the tree has the integrity {strongest}-{base64.b64encode(digest).decode()}, and not "
            "the given one; give the integrity of the tree that you trust"
        )
