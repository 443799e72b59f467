from collections.abc import Callable
from pathlib import Path

import pytest

from tests.unit.workspace.overlay.proposing import propose
from treeglass import Workspace
from treeglass.workspace import host_names
from treeglass.workspace.host import HostFileSystem
from treeglass.workspace.overlay.layer import OverlaidFileSystem


def test_no_question_about_a_proposed_tree_goes_to_the_disk_past_the_proposals() -> None:
    asked = {name for name in vars(HostFileSystem) if not name.startswith("_")}

    # Only `entries` and `has_entry` of the disk scan.
    assert asked - vars(OverlaidFileSystem).keys() == {"scandir"}


def test_where_names_open_in_any_case_only_the_listed_and_proposed_ones_do(
    make_tree: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = Workspace({"/repo": make_tree({"d/kept": "", "d/gone": ""})})
    propose(workspace, {"/repo/d/new": "", "/repo/made/in": ""}, gone=("/repo/d/gone",))
    monkeypatch.setattr(host_names, "LISTS_TRUE_NAMES_ONLY", True)

    names = ("d/kept", "d/new", "d/gone", "d/NEW", "made/in", "made/IN")
    found = {name: workspace.has(workspace.resolve(name, strict=False)) for name in names}
    assert [name for name, is_there in found.items() if is_there] == ["d/kept", "d/new", "made/in"]
