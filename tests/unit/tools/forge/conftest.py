"""Fixtures for the forge family: a mounted tree with fixed times, and expected answers."""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

import pytest

from tests.unit.tools.forge.changing_tools import Tools
from treeglass import Config, Limits, ToolRegistry, Workspace
from treeglass.tools.forge.definitions import LIST_DIRECTORY
from treeglass.workspace.host import HostFileSystem

MODIFIED_MS = 1_700_000_000_123
UNKNOWN_TEXTS = {
    "metadata_unavailable": "metadata unavailable",
    "permission_denied": "permission denied",
    "read_dir_failed": "failed to read directory",
    "io_error": "I/O error",
    "unknown": "unknown error",
}


@pytest.fixture
def tools(make_tree: Callable[[Mapping[str, str | bytes | None]], Path]) -> Tools:
    """Forge's tools over a tree of three files."""
    ten = "".join(f"l{number}\n" for number in range(1, 11))
    return Tools(make_tree({"a.txt": "one\ntwo\n", "ten.txt": ten, "d/b.txt": "b\n"}))


class RegistryOf(Protocol):
    """Mounts a directory as `/project` and offers `list_directory` alone."""

    def __call__(
        self,
        root: Path,
        tools: Mapping[str, object] | None = None,
        *,
        file_system: HostFileSystem | None = None,
        limits: Limits | None = None,
        **registry: Any,
    ) -> ToolRegistry: ...


class ListingText(Protocol):
    """Writes the whole answer for entries given as `path type [size or code]`."""

    def __call__(
        self,
        path: str,
        entries: list[tuple[str, str] | tuple[str, str, int | str]],
        *,
        max_entries: int = 200,
        reason: str | None = None,
    ) -> str: ...


class FaultyFileSystem(HostFileSystem):
    """A disk that fails at given paths, and remembers what was asked of it."""

    def __init__(
        self,
        root: Path,
        *,
        lstat: Mapping[str, Exception] | None = None,
        scandir: Mapping[str, Exception] | None = None,
    ) -> None:
        self._root = root
        self._lstat = lstat or {}
        self._scandir = scandir or {}
        self.inspected: list[str] = []
        self.scanned: list[str] = []

    def lstat(self, path: str, held: int | None = None) -> os.stat_result:
        relative = os.path.relpath(path, self._root)
        self.inspected.append(relative)
        if relative in self._lstat:
            raise self._lstat[relative]
        return super().lstat(path, held)

    def scandir(self, path: str) -> AbstractContextManager[Iterator[os.DirEntry[str]]]:
        relative = os.path.relpath(path, self._root)
        self.scanned.append(relative)
        if relative in self._scandir:
            raise self._scandir[relative]
        return super().scandir(path)


@pytest.fixture
def faulty_file_system() -> type[FaultyFileSystem]:
    return FaultyFileSystem


@pytest.fixture
def make_project(
    make_tree: Callable[[Mapping[str, str | bytes | None]], Path],
) -> Callable[[Mapping[str, str | bytes | None]], Path]:
    """Return `make_tree` with every entry last modified at the same moment."""

    def make(tree: Mapping[str, str | bytes | None]) -> Path:
        root = make_tree(tree)
        fix_times(root)
        return root

    return make


def fix_times(root: Path) -> None:
    modified_ns = MODIFIED_MS * 1_000_000 + 999_999
    for folder, folders, files in os.walk(root):
        for name in (*folders, *files):
            os.utime(
                os.path.join(folder, name),  # noqa: PTH118  # names may be no valid text
                ns=(modified_ns, modified_ns),
                follow_symlinks=False,
            )


@pytest.fixture
def registry_of() -> RegistryOf:
    def make(
        root: Path,
        tools: Mapping[str, object] | None = None,
        *,
        file_system: HostFileSystem | None = None,
        limits: Limits | None = None,
        **registry: Any,
    ) -> ToolRegistry:
        workspace = Workspace({"/project": root}, file_system=file_system, limits=limits)
        config = Config.from_object({"tools": dict(tools or {})})
        return ToolRegistry(workspace, config, tools=[LIST_DIRECTORY], **registry)

    return make


@pytest.fixture
def listing_text() -> ListingText:
    def write(
        path: str,
        entries: list[tuple[str, str] | tuple[str, str, int | str]],
        *,
        max_entries: int = 200,
        reason: str | None = None,
    ) -> str:
        listing = {
            "path": path,
            "entries": [_entry(*entry) for entry in entries],
            "returned": len(entries),
            "max_entries": max_entries,
            "truncated": reason is not None,
            "truncated_reason": reason,
        }
        return json.dumps(listing, ensure_ascii=False, separators=(",", ":"))

    return write


def _entry(path: str, kind: str, extra: int | str | None = None) -> dict[str, object]:
    name = path.rpartition("/")[2]
    code = extra if isinstance(extra, str) else None
    is_seen = code is None or code == "read_dir_failed"
    return {
        "name": name,
        "path": path,
        "depth": path.count("/") + 1,
        "type": kind,
        "size_bytes": extra if kind == "file" else None,
        "modified_epoch_ms": MODIFIED_MS if is_seen else None,
        "is_hidden": name.startswith("."),
        "error_code": code,
        "error": UNKNOWN_TEXTS[code] if code else None,
    }
