"""The changes as a manifest in JSON, and as an archive of the changed files with it."""

from __future__ import annotations

import hashlib
import io
import json
import re
import stat
import unicodedata
from collections.abc import Iterable
from typing import Any

from treeglass.errors import ExportRefused
from treeglass.escaping import escape_path
from treeglass.utf8 import is_encodable, raw_bytes
from treeglass.workspace.nodes import File, Link, Node, full_mode
from treeglass.workspace.overlay.changed_path import ChangedPath, Operation, decide

FORMAT = "treeglass-changes/1"

MANIFEST_NAME = "treeglass-changes.json"
"""The manifest's name in an archive."""

_MADE_ON_UNIX = 3
_DOS_DIRECTORY = 0x10
_TIME = (1980, 1, 1, 0, 0, 0)
"""The first that a zip can hold."""


def manifest(changed: Iterable[ChangedPath], *, strip: str | None = None) -> dict[str, Any]:
    """Return what happened to each path as a JSON object, sorted by the UTF-8 bytes of paths.

    It is the only export that has empty directories and all permissions. `strip` is that of
    `decide`, here and below.
    """
    return _manifest(decide(changed, strip=strip))


def archive(changed: Iterable[ChangedPath], *, strip: str = "/") -> bytes:
    """Return a zip of the manifest and of all that was created, modified or renamed.

    Entries are stored, in the manifest's order, with one time for all: the same changes give the
    same bytes everywhere. A name that is not UTF-8, or is the manifest's, is `ExportRefused`.
    """
    import zipfile  # noqa: PLC0415  # only an archive needs it

    operations = decide(changed, strip=strip)
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w") as written:

        def write(name: str, mode: int, content: bytes) -> None:
            entry = zipfile.ZipInfo(name, _TIME)
            entry.create_system = _MADE_ON_UNIX
            entry.external_attr = mode << 16 | (_DOS_DIRECTORY if stat.S_ISDIR(mode) else 0)
            written.writestr(entry, content)

        text = json.dumps(_manifest(operations), indent=2) + "\n"
        write(MANIFEST_NAME, stat.S_IFREG | 0o644, text.encode())
        for operation in operations:
            if operation.after is not None:
                path = _archived_name(operation.path)
                is_directory = operation.kind == "directory"
                content = _content(operation.after)
                write(f"{path}/" if is_directory else path, full_mode(operation.after), content)
    return output.getvalue()


def _archived_name(path: str) -> str:
    if not is_encodable(path):
        raise ExportRefused(
            f"an archive cannot hold the name {escape_path(path)}, which is not UTF-8; leave the "
            "file out, or export a patch"
        )
    if path == MANIFEST_NAME:
        raise ExportRefused(
            f"an archive has its manifest under the name {path}; leave the file out, or export a "
            "patch"
        )
    return path


def _manifest(operations: Iterable[Operation]) -> dict[str, Any]:
    return {"format": FORMAT, "entries": [_entry(operation) for operation in operations]}


def _entry(operation: Operation) -> dict[str, Any]:
    return {
        "path": operation.path,
        "operation": operation.name,
        "kind": operation.kind,
        "from": operation.origin,
        "before": _facts(operation.before),
        "after": _facts(operation.after),
    }


def _facts(node: Node | None) -> dict[str, Any] | None:
    if node is None:
        return None
    content = _content(node)
    has_content = isinstance(node, File | Link)
    return {
        "sha256": hashlib.sha256(content).hexdigest() if has_content else None,
        "size_bytes": len(content),
        "mode": f"{stat.S_IMODE(full_mode(node)):03o}",
    }


def _content(node: Node) -> bytes:
    if isinstance(node, File):
        return node.content
    return raw_bytes(node.target) if isinstance(node, Link) else b""


_windows_name = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\.|$)")
_not_on_windows = re.compile(r'[\x01-\x1f<>:"|?*]')
_drive = re.compile(r"[A-Za-z]:")

_GIT_FOLDERS = frozenset({".git", "git~1"})
"""The second is how Windows may call the first."""


def unsafe_names(paths: Iterable[str]) -> dict[str, str]:
    """Return why a relative path is not safe to write everywhere, in words, for each that is not.

    Two that differ by case or Unicode's normal form only, in any of their names, are both unsafe.
    """
    given = sorted(set(paths))
    clashes = _clashes(given)
    found = {path: _fault(path) or clashes.get(path) for path in given}
    return {path: reason for path, reason in found.items() if reason is not None}


def is_of_git(path: str) -> bool:
    """Tell whether a path is or lies in what Git, on any system, takes for its own folder."""
    return any(name.casefold().rstrip(" .") in _GIT_FOLDERS for name in path.split("/"))


def _fault(path: str) -> str | None:  # noqa: PLR0911  # one return for each rule
    names = path.split("/")
    if "\0" in path:
        return "it holds NUL"
    if not is_encodable(path):
        return "it is not UTF-8"
    if path.startswith("/"):
        return "it is absolute"
    if not {"", ".", ".."}.isdisjoint(names):
        return "a name in it is empty, `.` or `..`"
    if "\\" in path:
        return "it holds a backslash, which Windows takes for a slash"
    if _drive.match(path):
        return "it begins like a drive of Windows"
    if any(_windows_name.match(name.casefold()) for name in names):
        return "Windows reserves a name in it"
    if any(name.endswith((".", " ")) for name in names):
        return "a name in it ends in a dot or a blank, which Windows drops"
    if _not_on_windows.search(path):
        return "it holds a character that Windows does not allow"
    return None


def _clashes(paths: Iterable[str]) -> dict[str, str]:
    """Return the reason for each path with a name that another path spells otherwise."""
    spellings: dict[str, dict[str, str]] = {}
    for path in paths:
        for prefix in _prefixes(path):
            spellings.setdefault(_folded(prefix), {}).setdefault(prefix, path)
    found: dict[str, str] = {}
    for path in paths:
        for prefix in _prefixes(path):
            others = [each for each in spellings[_folded(prefix)] if each != prefix]
            if others:
                other = escape_path(others[0])
                found[path] = f"only case or Unicode's normal form tells it from {other!r}"
                break
    return found


def _prefixes(path: str) -> list[str]:
    return [path[:end] for end in range(1, len(path)) if path[end] == "/"] + [path]


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold())
