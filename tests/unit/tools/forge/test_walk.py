from __future__ import annotations

from typing import TYPE_CHECKING, Any

from treeglass import Limits

if TYPE_CHECKING:
    from treeglass import ToolRegistry

RECURSIVE = {"path": ".", "recursive": True}


def content_of(registry: ToolRegistry, **arguments: Any) -> str:
    result = registry.call_tool("list_directory", {"path": ".", **arguments})
    assert result.error is None, result.content
    return result.content


def test_hidden_directories_are_neither_shown_nor_entered(
    make_project: Any, registry_of: Any, faulty_file_system: Any, listing_text: Any
) -> None:
    root = make_project({".h/i": "i", "vis/.dot": "d", "vis/..x": "x", "...": "z"})
    file_system = faulty_file_system(root)

    content = content_of(registry_of(root, file_system=file_system), recursive=True)

    assert content == listing_text(".", [("vis", "dir")])
    assert file_system.scanned == [".", "vis"]


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
