"""The `.gitignore` files of a packed directory leave entries out of it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import pytest

from tests.unit.pack.packed import listed, members, mounted, zipped
from treeglass.errors import PackFailed
from treeglass.workspace.host import HostFileSystem

GITIGNORE_TREE: dict[str, str | bytes | None] = {
    ".git/config": "never",
    ".gitignore": "\ufeff# built\n*.log\r\n!keep.log\nbuild/\n/root-only\ndeep/**\n!deep/kept\n\\",
    "app.log": "",
    "keep.log": "",
    "build/out": "",
    "root-only": "",
    "src/root-only": "",
    "src/build": "a file is not a directory",
    "src/.gitignore": "!*.log\nlocal  \nspaced\\ \nna\u00efv\u00e0\n[z-a]\n",
    "src/app.log": "",
    "src/local": "",
    "src/spaced ": "",
    "src/naïvà": "",
    "src/link.log": "-> app.log",
    "sub/.git": "gitdir: elsewhere",
    "sub/x": "",
    "deep/er/x": "",
    "deep/kept": "",
    "hollow": None,
    "logs/one.log": "",
}


def test_gitignore_leaves_out_what_nested_files_say_and_git_itself(
    make_tree: Callable[..., Path],
) -> None:
    text, report = listed(mounted(make_tree(GITIGNORE_TREE)), gitignore=True)

    assert [entry["path"] for entry in json.loads(text)["entries"]] == [
        ".gitignore",
        "deep/kept",
        "hollow",
        "keep.log",
        "src/.gitignore",
        "src/app.log",
        "src/build",
        "src/link.log",
        "src/root-only",
        "sub/x",
    ]
    assert report.left_out == ()


def test_an_ignore_file_that_cannot_be_read_fails_rather_than_pack_ignored_entries(
    make_tree: Callable[..., Path],
) -> None:
    class Locked(HostFileSystem):
        def open(self, path: str) -> BinaryIO:
            raise PermissionError(13, path)

    tree = make_tree({"a\n/.gitignore": "*"})

    with pytest.raises(PackFailed) as failed:
        listed(mounted(tree, file_system=Locked()), gitignore=True)

    assert str(failed.value) == "cannot read a\\u{A}/.gitignore: Permission denied (os error 13)"


def test_an_ignore_file_that_is_too_large_fails(make_tree: Callable[..., Path]) -> None:
    workspace = mounted(make_tree({".gitignore": "#" * (1024 * 1024 + 1)}))

    with pytest.raises(PackFailed) as failed:
        zipped(workspace, gitignore=True)

    assert str(failed.value) == (
        ".gitignore is larger than 1,048,576 bytes (max_ignore_file_bytes)"
    )


def test_a_link_in_the_place_of_an_ignore_file_says_nothing(
    make_tree: Callable[..., Path],
) -> None:
    workspace = mounted(make_tree({"rules": "*", ".gitignore": "-> rules", "x": "x"}))

    archive, _ = zipped(workspace, gitignore=True)

    assert [member.name for member in members(archive)] == [".gitignore", "rules", "x"]


def test_a_backslash_keeps_one_space_at_the_end_unless_another_escapes_it(
    make_tree: Callable[..., Path],
) -> None:
    lines = "bare  \none\\  \nback\\\\ \nboth\\\\\\  \n"
    names = ["bare", "bare ", "one ", "one  ", "back\\", "back\\ ", "both\\ ", "both\\"]
    tree = make_tree({".gitignore": lines, **dict.fromkeys(names, "x")})

    archive, _ = zipped(mounted(tree), gitignore=True)

    left = [member.name for member in members(archive)]
    assert left == [".gitignore", "back\\ ", "bare ", "both\\", "one  "]


def test_an_ignore_file_full_of_spaces_is_read_in_the_time_of_its_size(
    make_tree: Callable[..., Path],
) -> None:
    # Searched again from each space, these would take minutes.
    tree = make_tree({".gitignore": f"y{' ' * 9_000}x\n" * 10, "x": "x"})

    archive, _ = zipped(mounted(tree), gitignore=True)

    assert [member.name for member in members(archive)] == [".gitignore", "x"]
