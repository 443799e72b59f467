"""A file of 300 MB without a line feed costs time and no memory."""

import os
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.scale.refusals import (
    MODIFIED_S,
    BadPath,
    Told,
    codex_refusal,
    envelope_listing,
    listed_entry,
    listing,
    registry_on,
    told,
)
from treeglass import ToolRegistry
from treeglass.workspace.limits import Limits

pytestmark = pytest.mark.slow

_MIB = 1024 * 1024
_SIZE_BYTES = 300 * _MIB

_MOST_SLICE_BYTES = 8 * _MIB
"""A slice holds a block of one MiB and the head of a line; a few copies are no leak."""

_MOST_BLOCK_BYTES = 4 * Limits().max_line_bytes
"""The indentation mode may hold one line up to its ceiling, as bytes and as text."""

_FIRST_LINE = "L1: " + "\0" * 500
_WARNINGS = (
    "The file looks binary: the shown text holds NUL characters.",
    "1 line is longer than 500 bytes and is shown cut.",
    "The shown text holds 500 invisible or bidirectional characters.",
)
_CUT = Told(_FIRST_LINE, truncated=True, warnings=_WARNINGS)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A directory with one sparse file, all of it zeros and one line."""
    path = tmp_path / "huge"
    with path.open("wb") as file:
        file.truncate(_SIZE_BYTES)
    os.utime(path, (MODIFIED_S, MODIFIED_S))
    return tmp_path


@pytest.fixture
def registry(tree: Path) -> ToolRegistry:
    return registry_on(tree)


@pytest.fixture
def traced() -> Iterator[None]:
    """Count what is allocated from here on."""
    tracemalloc.start()
    yield
    tracemalloc.stop()


@pytest.mark.usefixtures("traced")
def test_slice_shows_the_head_of_the_line_and_holds_no_more(registry: ToolRegistry) -> None:
    answer = told(registry.call_tool("read_file", {"file_path": "/repo/huge"}))
    assert answer == _CUT
    assert tracemalloc.get_traced_memory()[1] <= _MOST_SLICE_BYTES


@pytest.mark.usefixtures("traced")
def test_slice_beyond_the_line_reads_it_through_and_holds_a_block(registry: ToolRegistry) -> None:
    answer = told(registry.call_tool("read_file", {"file_path": "/repo/huge", "offset": 2}))
    assert answer == codex_refusal("offset exceeds file length")
    assert tracemalloc.get_traced_memory()[1] <= _MOST_SLICE_BYTES


@pytest.mark.usefixtures("traced")
def test_indentation_shows_the_head_of_the_line_and_holds_one_line_at_most(
    registry: ToolRegistry,
) -> None:
    arguments = {"file_path": "/repo/huge", "mode": "indentation"}
    assert told(registry.call_tool("read_file", arguments)) == _CUT
    assert tracemalloc.get_traced_memory()[1] <= _MOST_BLOCK_BYTES


@pytest.mark.usefixtures("traced")
def test_indentation_gives_up_on_white_space_that_never_ends(
    tree: Path, registry: ToolRegistry
) -> None:
    with (tree / "huge").open("r+b") as file:
        for _ in range(20):
            file.write(b" " * _MIB)
    arguments = {"file_path": "/repo/huge", "mode": "indentation"}
    message = (
        "failed to read file: max_line_bytes is 16,777,216; "
        "ask for less, for example a smaller limit, or use mode slice"
    )
    assert told(registry.call_tool("read_file", arguments)) == codex_refusal(message)
    assert tracemalloc.get_traced_memory()[1] <= _MOST_BLOCK_BYTES


_NO_DIRECTORY = BadPath(
    *("/repo/huge", "Not a directory (os error 20)"),
    "huge",
    (
        "INVALID_PARAM",
        "'huge' is a file, not a directory. Use 'Read' tool to view its content.",
    ),
    "huge",
    (
        "ExecutionFailed",
        "path is not a directory: huge; list the directory that holds it",
    ),
    resolved="huge",
)
_LISTED = listing(listed_entry("huge", "file", size_bytes=_SIZE_BYTES))


@pytest.mark.usefixtures("traced")
@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("list_dir", {"dir_path": "/repo"}, Told("Absolute path: /repo\nhuge")),
        ("LS", {}, envelope_listing(".", "huge", {})),
        ("list_directory", {"path": "."}, _LISTED),
        *(
            (tool, _NO_DIRECTORY.arguments(tool), _NO_DIRECTORY.refusal(tool))
            for tool in ("list_dir", "LS", "list_directory")
        ),
    ],
    ids=[
        f"{tool}{of}"
        for of in ("", " of the file")
        for tool in ("list_dir", "LS", "list_directory")
    ],
)
def test_listing_tools_never_look_inside(
    registry: ToolRegistry, tool: str, arguments: dict[str, Any], expected: Told
) -> None:
    assert told(registry.call_tool(tool, arguments)) == expected
    assert tracemalloc.get_traced_memory()[1] <= _MIB
