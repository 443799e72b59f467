"""The trees of the recorded cases: read, put on a disk, or told to a page."""

from __future__ import annotations

import base64
import errno
import io
import json
import os
import tarfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

from tests.conformance.library_folder import library_contents

Json = dict[str, Any]

MOUNT_POINT = "/project"
"""The path at which a case's tree is mounted: `$ROOT` in the calls of an agent."""

_NS_PER_MS = 1_000_000


@dataclass(frozen=True, slots=True)
class Node:
    """One entry of a tree."""

    kind: Literal["directory", "file", "symlink", "pipe"]
    content: bytes = b""
    target: bytes = b""
    """Where a symbolic link points; `$ROOT` and `$BASE` are still in it."""
    mode: int | None = None
    modified_ns: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """A tree as data: raw path to node, every directory named and before its entries.

    Equal only to itself, so that hosts can keep what they made of it.
    """

    nodes: Mapping[bytes, Node]
    siblings: Mapping[bytes, bytes] = field(default_factory=dict)
    """Files that stand beside the mounted directory and are not mounted."""

    is_missing_library: bool = False
    """True if it stands for a library folder that this machine does not have."""

    @property
    def pipes(self) -> list[bytes]:
        """The paths of the pipes."""
        return [path for path, node in self.nodes.items() if node.kind == "pipe"]

    @property
    def has_raw_names(self) -> bool:
        """True if a name is not valid UTF-8."""
        return any(not is_utf8(path) or not is_utf8(node.target) for path, node in self)

    def without_pipes(self) -> Tree:
        """Return the tree for a host that has no pipes."""
        kept = {path: node for path, node in self if node.kind != "pipe"}
        return Tree(kept, self.siblings)

    def with_files(self, texts: Mapping[str, str], mtime_ms: Mapping[str, int]) -> Tree:
        """Return the tree after files were written, each with its new time."""
        written = {
            os.fsencode(path): Node(
                "file", content=text.encode(), modified_ns=mtime_ms[path] * _NS_PER_MS
            )
            for path, text in texts.items()
        }
        return Tree({**self.nodes, **written}, self.siblings)

    def __iter__(self) -> Iterator[tuple[bytes, Node]]:
        return iter(self.nodes.items())


def is_utf8(raw: bytes) -> bool:
    """Tell whether bytes are valid UTF-8."""
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def parse_tree(recorded: Json, base_layout: Json | None = None) -> Tree:
    """Return the tree that a case file describes, in any of the files' spellings."""
    if "generated" in recorded:
        return library_tree(recorded["generated"]["sha256_of_names_and_contents"])
    is_base64 = recorded.get("path_encoding") == "base64"
    raw: Callable[[str], bytes] = base64.b64decode if is_base64 else os.fsencode
    nodes = {raw(path): Node("directory") for path in recorded["dirs"]}
    if chain := recorded.get("deep_chain"):
        names = [raw(chain["name"])] * chain["levels"]
        nodes |= {b"/".join(names[: n + 1]): Node("directory") for n in range(len(names))}
    for path, content in recorded["files"].items():
        nodes[raw(path)] = Node("file", content=_content(content))
    for path, target in recorded["symlinks"].items():
        nodes[raw(path)] = Node("symlink", target=raw(target))
    nodes |= {raw(path): Node("pipe") for path in recorded.get("fifos", [])}
    modified_ns = {raw(p): ms * _NS_PER_MS for p, ms in recorded.get("mtime_ms", {}).items()}
    for entry in recorded.get("hex_entries", []):
        path = bytes.fromhex(entry["path_hex"])
        nodes[path] = _hex_node(entry)
        modified_ns[path] = entry["mtime_ms"] * _NS_PER_MS
    modified_ns |= {raw(path): ns for path, ns in recorded.get("mtime_ns", {}).items()}
    modes = {raw(path): int(mode, 8) for path, mode in recorded.get("modes", {}).items()}
    whole = {
        path: Node(node.kind, node.content, node.target, modes.get(path), modified_ns.get(path))
        for path, node in _with_parents(nodes).items()
    }
    siblings = (base_layout or {}).get("siblings", {})
    return Tree(whole, {raw(path): text.encode() for path, text in siblings.items()})


def _content(recorded: Json) -> bytes:
    """Return a file's bytes: text or base64, as often as it says, or parts that are joined.

    The text of `apply_patch` that is there several times has the name `repeat`.
    """
    if "parts" in recorded:
        return b"".join(map(_content, recorded["parts"]))
    if "base64" in recorded:
        once = base64.b64decode(recorded["base64"])
    else:
        once = recorded["repeat" if "repeat" in recorded else "text"].encode()
    times: int = recorded.get("times", 1)
    return once * times


def _hex_node(entry: Json) -> Node:
    if entry["kind"] == "dir":
        return Node("directory")
    if entry["kind"] == "symlink":
        return Node("symlink", target=entry["target"].encode())
    return Node("file", content=entry["text"].encode())


@cache
def library_tree(sha256: str) -> Tree:
    """Return the standard library as it was recorded, or a tree that says it is not here."""
    contents = library_contents(sha256)
    if contents is None:
        return Tree({}, is_missing_library=True)
    nodes = {
        path: Node(
            "file",
            content=content,
            modified_ns=(1_700_000_000_000 + 1000 * (index * 7919 % len(contents))) * _NS_PER_MS,
        )
        for index, (path, content) in enumerate(contents.items())
    }
    return Tree(_with_parents(nodes))


def _with_parents(nodes: Mapping[bytes, Node]) -> dict[bytes, Node]:
    whole: dict[bytes, Node] = {}
    for path, node in nodes.items():
        parts = path.split(b"/")
        for depth in range(1, len(parts)):
            whole.setdefault(b"/".join(parts[:depth]), Node("directory"))
        whole[path] = node
    return whole


def write_tree(tree: Tree, base: Path) -> None:
    """Make the tree as `base`/project, and its siblings beside it.

    Raises:
        OSError: This filesystem cannot hold such a tree.
    """
    root = base / "project"
    root.mkdir()
    here = {b"$ROOT": os.fsencode(root), b"$BASE": os.fsencode(base)}
    for path, content in tree.siblings.items():
        sibling = base / os.fsdecode(path)
        sibling.parent.mkdir(parents=True, exist_ok=True)
        sibling.write_bytes(content)
    for path, node in sorted(tree, key=lambda entry: entry[1].kind == "symlink"):
        with _parent(root, path) as (parent, name):
            _make(node, name, parent, here)
    deepest_first = sorted(tree, key=lambda entry: len(entry[0]), reverse=True)
    for path, node in deepest_first:
        if node.modified_ns is not None:
            with _parent(root, path) as (parent, name):
                _set_time(name, node, node.modified_ns, parent)
    for path, node in deepest_first:
        if node.mode is not None:
            with _parent(root, path) as (parent, name):
                os.chmod(name, node.mode, dir_fd=parent)
    _require_same_names(tree, root)


@contextmanager
def _parent(root: Path, path: bytes) -> Iterator[tuple[int | None, bytes]]:
    """Yield an open descriptor of a path's directory, and its last name.

    A full path may be over PATH_MAX. Where a system cannot start from a directory, as Windows
    cannot, the full path comes with None.
    """
    if os.open not in os.supports_dir_fd:
        try:
            yield None, os.fsencode(root / os.fsdecode(path))
        except UnicodeDecodeError:
            raise OSError(errno.EILSEQ, os.strerror(errno.EILSEQ)) from None
        return
    *above, name = path.split(b"/")
    descriptor = os.open(root, os.O_RDONLY)
    try:
        for passed in above:
            below = os.open(passed, os.O_RDONLY, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = below
        yield descriptor, name
    finally:
        os.close(descriptor)


def _make(node: Node, name: bytes, parent: int | None, here: Mapping[bytes, bytes]) -> None:
    if node.kind == "directory":
        os.mkdir(name, dir_fd=parent)
    elif node.kind == "symlink":
        os.symlink(_substituted(node.target, here), name, dir_fd=parent)
    elif node.kind == "pipe":
        if not hasattr(os, "mkfifo"):
            raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
        os.mkfifo(name, dir_fd=parent)
    else:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        descriptor = os.open(name, flags, 0o644, dir_fd=parent)
        with os.fdopen(descriptor, "wb") as file:
            file.write(node.content)


def _set_time(name: bytes, node: Node, modified_ns: int, parent: int | None) -> None:
    if os.utime in os.supports_follow_symlinks:
        os.utime(name, ns=(modified_ns, modified_ns), dir_fd=parent, follow_symlinks=False)
    elif node.kind != "symlink":
        os.utime(name, ns=(modified_ns, modified_ns), dir_fd=parent)


def _require_same_names(tree: Tree, root: Path) -> None:
    """Make sure that the filesystem did not fold, cut or rewrite a name."""
    expected = {path for path in tree.nodes if b"/" not in path}
    if {os.fsencode(entry.name) for entry in root.iterdir()} != expected:
        raise OSError(errno.EILSEQ, os.strerror(errno.EILSEQ))


def _substituted(text: bytes, values: Mapping[bytes, bytes]) -> bytes:
    for word, value in values.items():
        text = text.replace(word, value)
    return text


_VIRTUAL = {b"$ROOT": MOUNT_POINT.encode(), b"$BASE": b""}


def as_entries(tree: Tree) -> list[list[object]]:
    """Return the tree as pairs of a path and the value from which the page makes an entry.

    Bytes that are valid UTF-8 travel as text, so that both ways of saying
    content are used.
    """
    return [[path.decode(), _entry(node)] for path, node in tree]


def _entry(node: Node) -> Json:
    entry: Json = {}
    if node.modified_ns is not None:
        entry["modifiedMs"] = node.modified_ns // _NS_PER_MS
    if node.kind == "directory":
        return entry | {"directory": True}
    if node.kind == "symlink":
        return entry | {"symlink": _substituted(node.target, _VIRTUAL).decode()}
    if is_utf8(node.content):
        return entry | {"text": node.content.decode()}
    return entry | {"base64": base64.b64encode(node.content).decode()}


def as_tar(tree: Tree) -> bytes:
    """Return the tree as an archive, which can hold what `as_entries` cannot say."""
    kinds = {
        "directory": tarfile.DIRTYPE,
        "file": tarfile.REGTYPE,
        "symlink": tarfile.SYMTYPE,
        "pipe": tarfile.FIFOTYPE,
    }
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for path, node in tree:
            member = tarfile.TarInfo(os.fsdecode(path))
            member.type = kinds[node.kind]
            usual_mode = 0o644 if node.kind == "file" else 0o755
            member.mode = node.mode if node.mode is not None else usual_mode
            member.mtime = (node.modified_ns or 0) // (1000 * _NS_PER_MS)
            member.size = len(node.content)
            member.linkname = os.fsdecode(_substituted(node.target, _VIRTUAL))
            archive.addfile(member, io.BytesIO(node.content))
    return buffer.getvalue()


def substituted(recorded: Any, *, root: str = MOUNT_POINT, base: str = "") -> Any:
    """Return recorded arguments or answers with the virtual paths put in."""
    text = json.dumps(recorded)
    words = {"$ROOT": root, "$BASE": base}
    for word, value in words.items():
        text = text.replace(word, json.dumps(value)[1:-1])
    return json.loads(text)
