"""A directory that becomes a link to outside while a tool looks at it."""

import os
from collections import Counter
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

import pytest

from treeglass import Config, ToolRegistry, ToolResult, Workspace
from treeglass.errors import NotADirectory
from treeglass.workspace.limits import MAX_SYMLINKS

Arguments = dict[str, str]
TREE: dict[str, str | bytes | None] = {
    "mounted/up/down/a.txt": "ours",
    "outside/down/a.txt": "secret content",
    "outside/down/secret": "",
    "outside/a.txt": "secret content",
    "outside/secret": "",
}
LISTINGS = 20_000
LOOKS = 20
_REFUSED = "refused"


class SwapBefore:
    """Replaces a directory with a link to outside right before one of the system calls."""

    def __init__(self, call: int, directory: Path, outside: Path) -> None:
        self.calls = 0
        self._call = call
        self._directory = directory
        self._outside = outside

    def watch(self, patch: pytest.MonkeyPatch) -> None:
        for name in ("open", "lstat", "readlink", "scandir"):
            patch.setattr(os, name, self._watched(getattr(os, name)))

    def _watched(self, system_call: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*arguments: Any, **options: Any) -> Any:
            self.calls += 1
            if self.calls == self._call:
                self._directory.rename(self._directory.with_name("aside"))
                self._directory.symlink_to(self._outside)
            return system_call(*arguments, **options)

        return watched


def _registry(root: Path) -> ToolRegistry:
    return ToolRegistry(Workspace({"/repo": root / "mounted"}), Config(), clock=lambda: 0.0)


def _told(result: ToolResult) -> str:
    """Return the content; of an answer in JSON, the names and the sizes in it."""
    if result.error is not None:
        return _REFUSED
    if result.structured_content is None:
        return result.content
    entries = result.structured_content.get("data", result.structured_content)["entries"]
    return ", ".join(f"{entry['path']}: {entry.get('size_bytes')}" for entry in entries)


def _answers_to_each_swap(root: Path, swapped: str, tool: str, arguments: Arguments) -> set[str]:
    """Return what a tool answers to a swap before its first system call, its second, …"""
    directory = root / "mounted" / swapped
    answers = set()
    call, is_reached = 0, True
    while is_reached:
        call += 1
        registry = _registry(root)
        swap = SwapBefore(call, directory, root / "outside")
        with pytest.MonkeyPatch.context() as patch:
            swap.watch(patch)
            answers.add(_told(registry.call_tool(tool, arguments)))
        is_reached = swap.calls >= call
        if is_reached:
            directory.unlink()
            directory.with_name("aside").rename(directory)
    return answers


@pytest.mark.parametrize("swapped", ["up", "up/down"])
@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        pytest.param(
            "list_dir",
            {"dir_path": "/repo/up/down"},
            {"Absolute path: /repo/up/down\na.txt", _REFUSED},
            id="list_dir",
        ),
        pytest.param(
            "read_file",
            {"file_path": "/repo/up/down/a.txt"},
            {"L1: ours", _REFUSED},
            id="read_file",
        ),
        pytest.param("LS", {"path": "up/down"}, {"up/down/a.txt: None", _REFUSED}, id="LS"),
        pytest.param(
            "list_directory",
            {"path": "up/down"},
            {"a.txt: 4", "a.txt: None", _REFUSED},
            id="list_directory",
        ),
    ],
)
def test_a_swap_at_any_moment_shows_nothing_from_outside(
    make_tree: Callable[..., Path],
    swapped: str,
    tool: str,
    arguments: Arguments,
    expected: set[str],
) -> None:
    assert _answers_to_each_swap(make_tree(TREE), swapped, tool, arguments) == expected


def _swap_until_told_to_stop(
    directory: Path, outside: Path, has_begun: Event, is_over: Event
) -> None:
    aside = directory.with_name("aside")
    has_begun.set()
    while not is_over.is_set():
        directory.rename(aside)
        directory.symlink_to(outside)
        directory.unlink()
        aside.rename(directory)
        # Without a while in its place, hardly a listing would get past the gate.
        for _ in range(LOOKS):
            directory.stat()


@pytest.mark.slow
@pytest.mark.parametrize("swapped", ["up", "up/down"])
def test_no_listing_shows_outside_while_a_process_swaps_a_directory(
    make_tree: Callable[..., Path], swapped: str
) -> None:
    root = make_tree(TREE)
    registry = _registry(root)
    processes = get_context("spawn")
    has_begun, is_over = processes.Event(), processes.Event()
    swapper = processes.Process(
        target=_swap_until_told_to_stop,
        args=(root / "mounted" / swapped, root / "outside", has_begun, is_over),
    )
    swapper.start()
    try:
        assert has_begun.wait(60)
        answers = Counter(
            _told(registry.call_tool("list_dir", {"dir_path": "/repo/up/down"}))
            for _ in range(LISTINGS)
        )
    finally:
        is_over.set()
        swapper.join()

    assert answers.total() == LISTINGS
    assert set(answers) <= {"Absolute path: /repo/up/down\na.txt", _REFUSED}, answers


def test_a_link_that_a_lenient_path_keeps_is_never_listed(
    make_tree: Callable[..., Path],
) -> None:
    root = make_tree({"mounted/here": "-> .", "mounted/out": "-> ../outside", "outside/secret": ""})
    workspace = Workspace({"/repo": root / "mounted"})

    kept = workspace.resolve("/repo/" + "here/" * MAX_SYMLINKS + "out", strict=False)

    assert kept.virtual == "/repo/out"
    with pytest.raises(NotADirectory):
        workspace.scan(kept)
