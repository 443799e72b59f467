from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from treeglass import Limits

if TYPE_CHECKING:
    from treeglass import ToolRegistry

NESTED: dict[str, str | bytes | None] = {
    "a/inner/x": "x",
    "a/f": "ff",
    "a-b/y": "y",
    "m": "mmm",
    ".h/i": "i",
    "vis/.dot": "d",
}
RECURSIVE = {"path": ".", "recursive": True}


def content_of(registry: ToolRegistry, **arguments: Any) -> str:
    result = registry.call_tool("list_directory", {"path": ".", **arguments})
    assert result.error is None, result.content
    return result.content


def test_children_alone_are_listed_without_recursion(
    make_project: Any, registry_of: Any, listing_text: Any
) -> None:
    registry = registry_of(make_project(NESTED))

    assert content_of(registry) == listing_text(
        ".", [("a", "dir"), ("a-b", "dir"), ("m", "file", 3), ("vis", "dir")]
    )


def test_recursion_lists_down_to_the_depth(
    make_project: Any, registry_of: Any, listing_text: Any
) -> None:
    registry = registry_of(make_project(NESTED))

    assert content_of(registry, recursive=True, max_depth=2) == listing_text(
        ".",
        [
            *(("a", "dir"), ("a-b", "dir"), ("a-b/y", "file", 1), ("a/f", "file", 2)),
            *(("a/inner", "dir"), ("m", "file", 3), ("vis", "dir")),
        ],
    )


def test_depth_counts_from_the_requested_directory(
    make_project: Any, registry_of: Any, listing_text: Any
) -> None:
    registry = registry_of(make_project({"a/b/c/d/e": "e"}))

    assert content_of(registry, path="a/b", recursive=True, max_depth=2) == listing_text(
        "a/b", [("c", "dir"), ("c/d", "dir")]
    )


def test_hidden_directories_are_neither_shown_nor_entered(
    make_project: Any, registry_of: Any, faulty_file_system: Any, listing_text: Any
) -> None:
    root = make_project({".h/i": "i", "vis/.dot": "d", "vis/..x": "x", "...": "z"})
    file_system = faulty_file_system(root)

    content = content_of(registry_of(root, file_system=file_system), recursive=True)

    assert content == listing_text(".", [("vis", "dir")])
    assert file_system.scanned == [".", "vis"]


def test_hidden_entries_come_when_asked_for(
    make_project: Any, registry_of: Any, listing_text: Any
) -> None:
    registry = registry_of(make_project({".h/i": "i", "vis/.dot": "d", "...": "z"}))

    assert content_of(registry, recursive=True, include_hidden=True) == listing_text(
        ".",
        [
            *(("...", "file", 1), (".h", "dir"), (".h/i", "file", 1)),
            *(("vis", "dir"), ("vis/.dot", "file", 1)),
        ],
    )


def test_links_are_listed_and_never_followed(
    make_project: Any, registry_of: Any, listing_text: Any
) -> None:
    tree = {"real/in": "i", "to_real": "-> real", "up": "-> .", "gone": "-> none", "out": "-> /"}
    registry = registry_of(make_project(tree))

    shown = [("gone", "symlink"), ("out", "symlink")]
    kept = [("real", "dir"), ("real/in", "file", 1)]
    shown_too = [("to_real", "symlink"), ("up", "symlink")]
    assert content_of(registry, recursive=True) == listing_text(".", [*shown, *kept, *shown_too])
    assert content_of(registry, recursive=True, include_symlinks=False) == listing_text(".", kept)


def test_directories_left_out_are_still_entered(
    make_project: Any, registry_of: Any, listing_text: Any
) -> None:
    registry = registry_of(make_project(NESTED))

    assert content_of(registry, recursive=True, include_dirs=False) == listing_text(
        ".", [("a-b/y", "file", 1), ("a/f", "file", 2), ("a/inner/x", "file", 1), ("m", "file", 3)]
    )


def test_pipe_is_listed_when_other_kinds_are_asked_for(
    make_project: Any, registry_of: Any, listing_text: Any, make_pipe: Any
) -> None:
    root = make_project({"f": "f"})
    make_pipe(root / "pipe")
    os.utime(root / "pipe", ns=((root / "f").stat().st_mtime_ns,) * 2)
    registry = registry_of(root)

    assert content_of(registry) == listing_text(".", [("f", "file", 1)])
    assert content_of(registry, include_other=True) == listing_text(
        ".", [("f", "file", 1), ("pipe", "other")]
    )


def test_work_ends_one_entry_past_the_last_one_shown(
    make_project: Any, registry_of: Any, faulty_file_system: Any, listing_text: Any
) -> None:
    root = make_project({"a/1": "", "a/2": "", "a/3": "", "b/c/d": "", "e": ""})
    file_system = faulty_file_system(root)
    registry = registry_of(root, file_system=file_system)
    file_system.inspected.clear()

    content = content_of(registry, recursive=True, max_entries=2)

    assert content == listing_text(
        ".", [("a", "dir"), ("a/1", "file", 0)], max_entries=2, reason="max_entries"
    )
    # The first question is whether the requested path is a directory.
    assert file_system.inspected == [".", "a", "a/1", "a/2"]
    assert file_system.scanned == [".", "a"]


def test_walk_that_collects_too_much_fails_and_says_what_to_do(
    make_project: Any, registry_of: Any
) -> None:
    root = make_project({"a/1": "", "a/2": "", "b": ""})
    registry = registry_of(root, limits=Limits(max_walk_entries=3))

    result = registry.call_tool("list_directory", RECURSIVE)

    assert result.content == (
        "list_directory failed: cannot list directory: . "
        "(max_walk_entries is 3; ask for less, for example one subdirectory)"
    )


def test_walk_stops_when_the_host_gives_the_call_up(
    make_project: Any, registry_of: Any, faulty_file_system: Any
) -> None:
    root = make_project({"a/1": "", "b/2": ""})
    file_system = faulty_file_system(root)
    registry = registry_of(root, file_system=file_system)

    result = registry.call_tool(
        "list_directory", RECURSIVE, is_cancelled=lambda: len(file_system.scanned) == 2
    )

    assert result.content == "Cancelled by user"
    assert file_system.scanned == [".", "a"]


def test_walk_stops_when_the_time_is_up_within_one_directory(
    make_project: Any, registry_of: Any, faulty_file_system: Any
) -> None:
    root = make_project({f"f{number:03}": "" for number in range(400)})
    file_system = faulty_file_system(root)
    registry = registry_of(
        root, file_system=file_system, clock=lambda: float(len(file_system.inspected))
    )
    file_system.inspected.clear()

    result = registry.call_tool("list_directory", {"path": ".", "include_files": False})

    assert result.content == "Tool 'list_directory' timed out after 256s"
    assert len(file_system.inspected) == 256
