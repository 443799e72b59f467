"""Names that are safe here and not in every folder that an export is unpacked into."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from treeglass.escaping import escape_path
from treeglass.utf8 import is_encodable

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
