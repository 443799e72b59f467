"""A tree with a patch of its changes, applied by jsdiff, is the tree as it is proposed.

jsdiff is the npm package `diff`. What it cannot apply is left out, with a test that it cannot.
"""

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from build_steps.folders import WEB
from build_steps.programs import find_program
from tests.property.changed_trees import NAMES, ODD_NAMES, random_trees
from tests.support.programs import run
from treeglass.utf8 import is_encodable
from treeglass.workspace.nodes import File, Link, Node
from treeglass.workspace.overlay.change_flags import is_text
from treeglass.workspace.overlay.changed_path import ChangedPath
from treeglass.workspace.overlay.patch import patch

SCRIPT = WEB.parent / "tests/support/jsdiff_apply.mjs"
FILES_PER_PATCH = 50

Tree = dict[str, dict[str, str]]


NAMES_OF_JSDIFF = [
    name for name in (*NAMES, *ODD_NAMES) if is_encodable(name) and not name.endswith(" ")
]


class Case(NamedTuple):
    """What the script is given, and what it ought to tell."""

    given: dict[str, Any]
    expected: Tree


def _tree(nodes: Mapping[str, Node | None]) -> Tree:
    """Return a tree as the script has it."""
    found: Tree = {}
    for path, node in nodes.items():
        name = path.removeprefix("/repo/")
        if isinstance(node, Link):
            found[name] = {"content": node.target, "mode": "120000"}
        elif isinstance(node, File):
            mode = "100755" if node.mode & 0o100 else "100644"
            found[name] = {"content": node.content.decode(errors="replace"), "mode": mode}
    return found


def _case(changed: Sequence[ChangedPath]) -> Case:
    before = _tree({each.path: each.before for each in changed})
    text = patch(changed, _no_check, strip="/repo").decode()
    given = {"before": before, "patch": text}
    return Case(given, _tree({each.path: each.after for each in changed}))


def _no_check() -> None:
    pass


def _told(folder: Path, cases: Sequence[Case]) -> list[Tree]:
    asked, told = folder / "asked.json", folder / "told.json"
    asked.write_text(json.dumps([case.given for case in cases]), "utf-8")
    done = run(find_program("node"), SCRIPT, asked, told, folder=WEB)
    assert done.returncode == 0, done.stderr
    answers: list[Tree] = json.loads(told.read_text("utf-8"))
    return answers


def _of_text(changed: Sequence[ChangedPath]) -> list[ChangedPath]:
    """Return the changes without files that are no text, and without what became of such."""
    out = {
        each.path
        for each in changed
        for node in (each.before, each.after)
        if isinstance(node, File) and not is_text(node.content)
    }
    return [each for each in changed if out.isdisjoint({each.path, each.renamed_from})]


def _check(seeds: range, folder: Path) -> None:
    chances = [random.Random(seed) for seed in seeds]  # noqa: S311  # a test repeats
    trees = [random_trees(chance, FILES_PER_PATCH, NAMES_OF_JSDIFF) for chance in chances]
    cases = [_case(_of_text(each.changed)) for each in trees]

    assert _told(folder, cases) == [case.expected for case in cases]


def test_jsdiff_applies_a_patch_of_many_files(tmp_path: Path) -> None:
    _check(range(20), tmp_path)


@pytest.mark.slow
def test_jsdiff_applies_the_patches_of_ten_thousand_files(tmp_path: Path) -> None:
    _check(range(1000, 1000 + 10_000 // FILES_PER_PATCH), tmp_path)


OLD, NEW = File(b"old\n"), File(b"new\n")

EXCLUDED = {
    "it passes over a binary patch of Git, and leaves the file as it is": (
        ChangedPath("/repo/a", OLD, File(b"\0new"))
    ),
    "it drops a blank at the end of a name": ChangedPath("/repo/a ", OLD, NEW),
    "it replaces the bytes of a name that is no UTF-8": ChangedPath("/repo/\udcff", OLD, NEW),
}
"""By reason: a change that jsdiff does not apply, and `git apply` does."""


@pytest.mark.parametrize("changed", EXCLUDED.values(), ids=EXCLUDED)
def test_jsdiff_cannot_apply_what_is_excluded(tmp_path: Path, changed: ChangedPath) -> None:
    case = _case([changed])

    (told,) = _told(tmp_path, [case])
    assert told != case.expected
