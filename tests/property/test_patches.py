"""A tree with a patch of its changes, applied by Git itself, is the tree as it is proposed."""

import io
import os
import random
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.property.changed_trees import LINE_ENDS, LINES, NAMES, ODD_NAMES, random_trees
from tests.support.disk_support import holds_every_tree
from treeglass.workspace.nodes import File, Link, Node
from treeglass.workspace.overlay.changed_path import ChangedPath
from treeglass.workspace.overlay.export import archive, manifest
from treeglass.workspace.overlay.hunks import diff_of, rejected
from treeglass.workspace.overlay.patch import patch

GIT = shutil.which("git")
needs_git = pytest.mark.skipif(GIT is None, reason="Git is the oracle, and is not installed")

FILES_PER_PATCH = 50

CONTENTS = st.lists(
    st.tuples(st.sampled_from(LINES), st.sampled_from(LINE_ENDS)).map("".join), max_size=12
).flatmap(
    lambda lines: st.sampled_from(["".join(lines), "".join(lines).rstrip("\r\n")]).map(str.encode)
)
FILES = st.builds(
    File, st.one_of(CONTENTS, st.binary(max_size=200)), st.sampled_from([0o644, 0o755])
)
SIDES = st.one_of(st.none(), FILES)


def no_check() -> None:
    pass


def _write(top: Path, tree: Mapping[str, Node]) -> None:
    for name, node in tree.items():
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(node, Link):
            path.symlink_to(node.target)
        elif isinstance(node, File):
            path.write_bytes(node.content)
            path.chmod(node.mode)


def _read(top: Path) -> dict[str, Node]:
    found: dict[str, Node] = {}
    for folder, folders, names in os.walk(top):
        for name in [*folders, *names]:
            path = Path(folder, name)
            node: Node
            if path.is_symlink():
                node = Link(str(path.readlink()))
            elif path.is_dir():
                continue
            else:
                node = File(path.read_bytes(), 0o755 if path.stat().st_mode & 0o100 else 0o644)
            found[path.relative_to(top).as_posix()] = node
    return found


def _applied(before: Mapping[str, Node], given: bytes, *options: str) -> dict[str, Node]:
    assert GIT is not None
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder, "tree")
        top.mkdir()
        _write(top, before)
        if not given:
            return _read(top)
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": folder,
            "GIT_CEILING_DIRECTORIES": folder,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
        }
        done = subprocess.run(
            [GIT, "apply", "--whitespace=nowarn", *options],
            cwd=top,
            env=environment,
            input=given,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode(errors="replace")
        return _read(top)


def _check_patches(seeds: range, folder: Path) -> None:
    names = NAMES + ODD_NAMES if holds_every_tree(folder) else NAMES
    for seed in seeds:
        trees = random_trees(random.Random(seed), FILES_PER_PATCH, names)  # noqa: S311  # a test repeats
        written = patch(trees.changed, no_check, strip="/repo")

        assert written.decode().encode() == written
        assert _applied(trees.before, written) == trees.after, seed
        assert _applied(trees.after, written, "--reverse") == trees.before, seed


@needs_git
def test_git_applies_a_patch_of_many_files_forwards_and_backwards(tmp_path: Path) -> None:
    _check_patches(range(6), tmp_path)


@needs_git
@pytest.mark.slow
def test_git_applies_the_patches_of_ten_thousand_files(tmp_path: Path) -> None:
    _check_patches(range(1000, 1000 + 10_000 // FILES_PER_PATCH), tmp_path)


@needs_git
@settings(max_examples=60)
@given(files=st.lists(st.tuples(SIDES, SIDES), min_size=1, max_size=8))
def test_git_applies_any_patch(files: list[tuple[File | None, File | None]]) -> None:
    changed = [ChangedPath(f"/{n}", *sides) for n, sides in enumerate(files)]
    before = {str(n): old for n, (old, _) in enumerate(files) if old is not None}
    after = {str(n): new for n, (_, new) in enumerate(files) if new is not None}

    assert _applied(before, patch(changed, no_check)) == after


@given(before=SIDES, after=SIDES, data=st.data())
def test_taking_hunks_back_leaves_the_others(
    before: File | None, after: File | None, data: st.DataObject
) -> None:
    def diff(now: File | None) -> list[str]:
        hunks = diff_of(before, now, path="a", checkpoint=no_check).hunks
        return [hunk.key for hunk in hunks]

    keys = diff(after)
    chosen = data.draw(st.sets(st.sampled_from(keys)) if keys else st.just(set[str]()))
    left = rejected(before, after, chosen, path="a", checkpoint=no_check)

    if keys and chosen == set(keys):
        assert left == (None if before is None else before.content)
    else:
        now = None if left is None else File(left)
        assert set(diff(now)) == set(keys) - chosen


@given(seed=st.integers(0, 10_000))
@settings(max_examples=25)
def test_an_archive_holds_what_its_manifest_says_whatever_the_order(seed: int) -> None:
    changed = random_trees(random.Random(seed), 12, NAMES).changed  # noqa: S311  # a test repeats
    made = archive(changed, strip="/repo")

    with zipfile.ZipFile(io.BytesIO(made)) as opened:
        held = [(each.filename, each.file_size) for each in opened.infolist()[1:]]
    entries = manifest(changed, strip="/repo")["entries"]
    present = [entry for entry in entries if entry["after"] is not None]
    assert held == [(entry["path"], entry["after"]["size_bytes"]) for entry in present]
    assert made == archive(reversed(changed), strip="/repo")
