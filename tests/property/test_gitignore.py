"""`--gitignore` leaves out the entries that Git itself leaves out."""

import io
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treeglass import Workspace
from treeglass.pack import pack_manifest

GIT = shutil.which("git")

NAMES = st.sampled_from(["a", "b", "ab", "a.txt", "b.md", "#c", "!d", "1", " e", "f ", "[g]", "é"])
FOLDERS = st.lists(st.sampled_from(["a", "b", "ab", "é"]), max_size=3)
FILES = st.builds(lambda folders, name: "/".join([*folders, name]), FOLDERS, NAMES)

PIECES = st.one_of(
    st.sampled_from(["a", "b", "ab", "é", "*", "**", "?", "a*", "*b", "*.txt", "a.???", "[^b]*"]),
    st.sampled_from(
        ["[ab]", "[!a]", "[a-b]b", "[[:digit:]]", "[[:alpha:]_]*", "[[g]*", "[[:no:]]"]
    ),
    st.sampled_from(["#c", "\\#c", "\\!d", "\\[g]", "[z-a]", " e", "f ", "f\\ "]),
)
PATTERNS = st.builds(
    lambda negated, anchored, pieces, directory: (
        ("!" if negated else "") + ("/" if anchored else "") + "/".join(pieces) + directory
    ),
    st.booleans(),
    st.booleans(),
    st.lists(PIECES, min_size=1, max_size=3),
    st.sampled_from(["", "", "/", "/*", "/**"]),
)
IGNORE_FILES = st.lists(PATTERNS, min_size=1, max_size=5).map("\n".join)
TREES = st.tuples(
    st.sets(FILES, min_size=1, max_size=10),
    st.dictionaries(FOLDERS.map(tuple), IGNORE_FILES, min_size=1, max_size=3),
)


def _files_of_git(tree: Path) -> set[str]:
    assert GIT is not None
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tree),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
    }

    def git(*arguments: str) -> bytes:
        done = subprocess.run(
            [GIT, *arguments], cwd=tree, env=environment, capture_output=True, check=True
        )
        return done.stdout

    git("init", "--quiet", "--template=")
    listed = git("ls-files", "--cached", "--others", "--exclude-standard", "-z")
    return set(listed.decode().split("\0")) - {""}


def _packed_files(tree: Path) -> set[str]:
    output = io.BytesIO()
    pack_manifest(Workspace({"/tree": tree}), "/tree", output, gitignore=True)
    entries = json.loads(output.getvalue())["entries"]
    return {entry["path"] for entry in entries if entry["kind"] != "directory"}


def _write_tree(tree: Path, files: set[str], ignore_files: dict[tuple[str, ...], str]) -> None:
    for name in sorted(files):
        path = tree / name
        if not any(above.is_file() for above in path.parents) and not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(name, "utf-8")
    for folders, text in ignore_files.items():
        folder = tree.joinpath(*folders)
        if folder.is_dir():
            (folder / ".gitignore").write_text(text, "utf-8")


@pytest.mark.skipif(GIT is None, reason="Git is the oracle, and is not installed")
@settings(max_examples=100)
@given(described=TREES)
def test_packed_files_are_those_that_git_would_add(
    described: tuple[set[str], dict[tuple[str, ...], str]],
) -> None:
    with tempfile.TemporaryDirectory() as directory:
        tree = Path(directory)
        _write_tree(tree, *described)

        assert _packed_files(tree) == _files_of_git(tree)
