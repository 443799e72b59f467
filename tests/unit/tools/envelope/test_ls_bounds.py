import itertools
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.unit.tools.envelope.tool_calls import LS_TREE as TREE
from tests.unit.tools.envelope.tool_calls import call_ls as call
from treeglass import Limits, ToolFailure, ToolRegistry, Workspace
from treeglass.tools.envelope.definitions import LS
from treeglass.workspace.host import HostFileSystem

MakeTree = Callable[..., Path]


@pytest.fixture
def workspace(make_tree: MakeTree) -> Workspace:
    return Workspace({"/repo": make_tree(TREE)})


@pytest.fixture
def wide(make_tree: MakeTree) -> Workspace:
    return Workspace({"/repo": make_tree({f"{'é' * 30}{n:03}.txt": "x" for n in range(120)})})


def test_a_page_over_the_budget_becomes_the_largest_that_fits(wide: Workspace) -> None:
    result = call(wide, {"limit": 30})
    returned = []
    while result.error is None:
        returned.append((result.structured_content or {})["stats"]["returned"])
        # One byte less than this page takes costs one entry, never two.
        budget_bytes = len(result.content.encode()) - 1
        result = call(wide, {"limit": 30}, max_output_bytes=budget_bytes)
        assert result.is_error or len(result.content.encode()) <= budget_bytes

    assert returned == list(range(30, 0, -1))


class FailingScan(HostFileSystem):
    """A disk on which directories can be seen but not read."""

    def __init__(self, error: OSError) -> None:
        self.error = error

    def scandir(self, path: str) -> AbstractContextManager[Iterator[os.DirEntry[str]]]:  # noqa: ARG002  # whatever is asked
        raise self.error


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        pytest.param(
            PermissionError(13, "host words", "/host/path"),
            ToolFailure("ACCESS_DENIED", "Permission denied accessing 'src'."),
            id="no permission",
        ),
        pytest.param(
            OSError(5, "host words", "/host/path"),
            ToolFailure(
                "INTERNAL_ERROR", "Failed to list directory - Input/output error (os error 5)"
            ),
            id="a broken disk",
        ),
        pytest.param(
            FileNotFoundError(2, "host words", "/host/path"),
            ToolFailure("NOT_FOUND", "Path 'src' does not exist."),
            id="gone in the meantime",
        ),
    ],
)
def test_a_directory_that_the_host_will_not_read(
    make_tree: MakeTree, error: OSError, failure: ToolFailure
) -> None:
    workspace = Workspace({"/repo": make_tree(TREE)}, file_system=FailingScan(error))

    result = call(workspace, {"path": "src"})

    assert result.error == failure
    assert (result.structured_content or {})["context"]["path_resolved"] == "src"


def test_a_directory_over_the_workspaces_ceiling_is_an_error(make_tree: MakeTree) -> None:
    workspace = Workspace({"/repo": make_tree(TREE)}, limits=Limits(max_directory_entries=3))

    assert call(workspace).error == ToolFailure(
        "INTERNAL_ERROR",
        "Failed to list directory - max_directory_entries is 3; "
        "ask for less, for example one subdirectory",
    )


@pytest.mark.parametrize(("ignore", "questions"), [(None, 2), (["*.py"], 120)])
def test_the_host_is_asked_at_each_entry_that_patterns_are_held_against(
    wide: Workspace, ignore: list[str] | None, questions: int
) -> None:
    asked = itertools.count()

    call(wide, {"ignore": ignore}, is_cancelled=lambda: next(asked) < 0)

    assert next(asked) == questions


def test_time_is_told_in_whole_milliseconds(workspace: Workspace) -> None:
    seconds = itertools.count(step=0.0119)
    registry = ToolRegistry(workspace, tools=[LS], clock=lambda: next(seconds))

    result = registry.call_tool("LS", {"path": "src/util"})

    # Started, one checkpoint, then the reading that is told.
    assert (result.structured_content or {})["stats"]["time_ms"] == 23
