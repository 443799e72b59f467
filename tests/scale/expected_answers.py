"""The answers that the codex tools must give, computed in another way from the files.

Reads whole files and walks with `os.walk`, which is slow and plain; shares no
code with the tools. Good for trees with ordinary names and no links.
"""

import os
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

_SHOWN_BYTES = 500


class Expected(NamedTuple):
    """The parts of an answer that do not depend on the clock."""

    content: str
    is_error: bool = False
    truncated: bool = False
    next_arguments: dict[str, Any] | None = None


class Call(NamedTuple):
    """One tool call and its only right answer."""

    tool: str
    arguments: dict[str, Any]
    expected: Expected


class ExpectedAnswers:
    """Calls on one tree, each with its answer.

    Args:
        folder: The tree.
        mount: Its virtual path for the tools.
    """

    def __init__(self, folder: Path, mount: str) -> None:
        self._folder = folder
        self._mount = mount
        self.files = sorted(
            path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
        )
        """Paths of the files below the folder, sorted."""
        self.directories = sorted(
            path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_dir()
        )
        """Paths of the directories below the folder, sorted."""
        self.lines_of = cache(self._lines_of)
        self._listing_of = cache(self._listing)

    def _lines_of(self, path: str) -> list[str]:
        content = (self._folder / path).read_bytes()
        lines = content.split(b"\n")
        if not lines[-1]:
            lines.pop()
        ended = content.endswith(b"\n")
        shown = []
        for index, line in enumerate(lines):
            has_line_feed = ended or index < len(lines) - 1
            bare = line.removesuffix(b"\r") if has_line_feed else line
            text = bare.decode("utf-8", "replace").encode()[:_SHOWN_BYTES]
            shown.append(text.decode("utf-8", "ignore"))
        return shown

    def read_file(self, path: str, *, offset: int, limit: int) -> Call:
        """Return a call for a slice of at most 100 lines, which fits every default budget."""
        arguments = {"file_path": f"{self._mount}/{path}", "offset": offset, "limit": limit}
        lines = self.lines_of(path)
        if offset > len(lines):
            return _refused("read_file", arguments, "offset exceeds file length")
        end = min(len(lines), offset - 1 + limit)
        numbers = range(offset, end + 1)
        content = "\n".join(f"L{number}: {lines[number - 1]}" for number in numbers)
        return _answered(
            "read_file", arguments, content, next_offset=None if end == len(lines) else end + 1
        )

    def _listing(self, path: str, depth: int) -> list[str]:
        top = self._folder / path
        found: dict[str, str] = {}
        for here, names, file_names in os.walk(top):
            inside = os.path.relpath(here, top)
            prefix = "" if inside == "." else f"{inside}/"
            level = prefix.count("/")
            for name in names:
                found[prefix + name] = f"{'  ' * level}{name}/"
            for name in file_names:
                found[prefix + name] = f"{'  ' * level}{name}"
            if level + 1 == depth:
                names.clear()
        return [found[key] for key in sorted(found)]

    def list_dir(self, path: str, *, offset: int, limit: int, depth: int) -> Call:
        """Return a call for a page of at most 1,000 entries."""
        shown = f"{self._mount}/{path}" if path else self._mount
        arguments = {"dir_path": shown, "offset": offset, "limit": limit, "depth": depth}
        lines = self._listing_of(path, depth)
        if lines and offset > len(lines):
            return _refused("list_dir", arguments, "offset exceeds directory entry count")
        page = lines[offset - 1 : offset - 1 + limit]
        has_more = bool(page) and offset - 1 + len(page) < len(lines)
        more = [f"More than {len(page)} entries found"] if has_more else []
        return _answered(
            "list_dir",
            arguments,
            "\n".join([f"Absolute path: {shown}", *page, *more]),
            next_offset=offset + len(page) if has_more else None,
        )

    def missing(self, name: str) -> list[Call]:
        """Return calls for paths that are missing or of the other kind."""
        read, listed = "failed to read file", "failed to read directory"
        no_such = "No such file or directory (os error 2)"
        refusals = [
            ("read_file", name, f"{read}: {no_such}"),
            ("list_dir", name, f"{listed}: {no_such}"),
            ("read_file", self.directories[0], f"{read}: Is a directory (os error 21)"),
            ("list_dir", self.files[0], f"{listed}: Not a directory (os error 20)"),
        ]
        keys = {"read_file": "file_path", "list_dir": "dir_path"}
        return [
            _refused(tool, {keys[tool]: f"{self._mount}/{path}"}, content)
            for tool, path, content in refusals
        ]


def _answered(
    tool: str, arguments: dict[str, Any], content: str, *, next_offset: int | None
) -> Call:
    has_more = next_offset is not None
    following = {**arguments, "offset": next_offset} if has_more else None
    return Call(tool, arguments, Expected(content, truncated=has_more, next_arguments=following))


def _refused(tool: str, arguments: dict[str, Any], content: str) -> Call:
    return Call(tool, arguments, Expected(content, is_error=True))
