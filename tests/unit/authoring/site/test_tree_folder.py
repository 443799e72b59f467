"""A built site holds the trees of its demos, and no other file of the machine."""

import hashlib
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from treeglass.authoring.demo import Demo, DemoInvalid, TreeAt
from treeglass.authoring.recording import Recording, record_answer
from treeglass.authoring.site.tree_folder import TreeFolder

OUTSIDE = "not for the site"


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A documentation's source root with a secret beside it, and a link that leads there."""
    docs = tmp_path / "docs"
    (docs / "trees").mkdir(parents=True)
    (tmp_path / "a.txt").write_text(OUTSIDE)
    (docs / "a.txt").write_text("x")
    (docs / "trees" / "a.txt").write_text("x")
    (docs / "trees" / "out").symlink_to(tmp_path)
    return docs


def _write_manifest(folder: Path, entry: dict[str, Any], **more: Any) -> Path:
    listed = {"path": "a.txt", "kind": "file", "size_bytes": 1, **entry}
    file = folder / "tree.json"
    file.write_text(json.dumps({"manifest_version": 1, "entries": [listed], **more}))
    return file


def _refusal(trees: TreeFolder, source: Path) -> str:
    with pytest.raises(DemoInvalid) as refused:
        trees.place(source, "tree")
    return str(refused.value)


def _written(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in folder.rglob("*") if path.is_file()]


OUT = "leads out of the site's root"
MOVE = "; move the tree into it, or name a folder above both"


@pytest.mark.parametrize(
    ("entry", "more", "reason"),
    [
        pytest.param(
            {}, {"base_url": "../../"}, f"'../../a.txt' {OUT}{MOVE}", id="a base above the root"
        ),
        pytest.param(
            {"url": "%2e%2e/%2e%2e/a.txt"},
            {},
            f"'%2e%2e/%2e%2e/a.txt' {OUT}{MOVE}",
            id="encoded dots",
        ),
        pytest.param(
            {},
            {"base_url": "out/"},
            f"'out/a.txt' {OUT} through a link; replace the link by the tree",
            id="a link out of the root",
        ),
        pytest.param(
            {},
            {"base_url": "/etc/"},
            "'/etc/a.txt': No such file or directory",
            id="a base that is a path of the machine",
        ),
        pytest.param(
            {"sha256": "0" * 64},
            {},
            "its content is not what the manifest says; pack the tree again",
            id="another content",
        ),
    ],
)
def test_a_manifest_takes_no_file_of_the_machine_into_the_site(
    tmp_path: Path, sources: Path, entry: dict[str, Any], more: dict[str, Any], reason: str
) -> None:
    entry = {"size_bytes": len(OUTSIDE), **entry} if "%2e" in str(entry) else entry
    source = _write_manifest(sources / "trees", entry, **more)

    refused = _refusal(TreeFolder(tmp_path / "placed", sources), source)

    assert refused == f"tree 'tree' cannot be copied: a.txt: {reason}"
    assert _written(tmp_path / "placed") == []


def test_a_manifest_out_of_the_sources_takes_files_of_its_own_folder_alone(
    tmp_path: Path, sources: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    source = _write_manifest(elsewhere, {}, base_url="../docs/")

    assert _refusal(TreeFolder(tmp_path / "placed", sources), source) == (
        f"tree 'tree' cannot be copied: a.txt: '../docs/a.txt' {OUT}{MOVE}"
    )


@pytest.mark.parametrize(
    ("entry", "more"),
    [
        pytest.param({}, {}, id="beside the manifest"),
        pytest.param({}, {"base_url": "../"}, id="in the sources"),
        pytest.param({}, {"base_url": "/trees/"}, id="from the root of the sources"),
        pytest.param({"url": "a%2Etxt"}, {"base_url": "gone/"}, id="an address of its own"),
        pytest.param(
            {"url": "a.txt"}, {"base_url": "https://x.test/"}, id="its own where others lie away"
        ),
        pytest.param({"path": "../a.txt", "url": "a.txt"}, {}, id="a path that no tree has"),
        pytest.param({"path": "a\0b", "url": "a.txt"}, {}, id="a path with a NUL"),
        pytest.param({"note": "\ud800"}, {}, id="text that UTF-8 cannot carry"),
    ],
)
def test_the_files_of_a_manifest_lie_in_the_site_under_their_content(
    tmp_path: Path, sources: Path, entry: dict[str, Any], more: dict[str, Any]
) -> None:
    trees = TreeFolder(tmp_path / "placed", sources)
    source = _write_manifest(sources / "trees", entry, **more)

    placed = trees.path(trees.place(source, "tree"))

    digest = hashlib.sha256(b"x").hexdigest()
    listed = json.loads(placed.read_bytes())["entries"]
    below = sorted(path.relative_to(placed.parent).as_posix() for path in _files(placed.parent))
    assert ([entry["url"] for entry in listed], below) == (
        [f"files/{digest}"],
        [f"files/{digest}", "tree.json"],
    )
    assert placed.parent.name == (f"tree-{hashlib.sha256(placed.read_bytes()).hexdigest()[:12]}")


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_two_files_of_one_path_stay_two_as_in_a_mount(tmp_path: Path, sources: Path) -> None:
    (sources / "trees" / "b.txt").write_text("y")
    source = _write_manifest(sources / "trees", {})
    manifest = json.loads(source.read_bytes())
    manifest["entries"].append({**manifest["entries"][0], "url": "b.txt"})
    source.write_text(json.dumps(manifest))
    trees = TreeFolder(tmp_path / "placed", sources)
    demo = Demo(
        tool="read_file", tree=TreeAt("tree.json"), arguments='{"file_path": "/repo/a.txt"}'
    )

    placed = trees.path(trees.place(source, "tree"))

    assert record_answer(demo, placed) == Recording(content="L1: x", is_error=False)


def test_a_manifest_changes_with_what_it_lists(tmp_path: Path, sources: Path) -> None:
    source = _write_manifest(sources / "trees", {})
    trees = TreeFolder(tmp_path / "placed", sources)
    before, first = trees.fingerprint(source), trees.place(source, "tree")

    (sources / "trees" / "a.txt").write_text("y")
    second = trees.place(source, "tree")

    assert trees.source_files(source) == [source, sources / "trees" / "a.txt"]
    assert (trees.fingerprint(source) == before, first.address == second.address) == (False, False)


def test_a_tree_that_holds_what_the_build_writes_is_refused(tmp_path: Path, sources: Path) -> None:
    site = tmp_path / "site"
    trees = TreeFolder(tmp_path / "doctrees" / "placed", sources, (tmp_path / "doctrees", site))

    assert _refusal(trees, tmp_path) == (
        "tree 'tree' holds what the build writes, 'doctrees/placed'; name a directory beside that, "
        "or build elsewhere"
    )
    assert not (tmp_path / "doctrees").exists()


def test_a_name_that_no_file_system_takes_is_no_tree(tmp_path: Path, sources: Path) -> None:
    trees = TreeFolder(tmp_path / "placed", sources)

    assert _refusal(trees, sources / ("n" * 300)) == (
        "tree 'tree' does not exist; name a directory or an archive"
    )


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (
            '{"manifest_version": 1, "entries": ' + "[" * 100_000 + "]" * 100_000 + "}",
            "the manifest is not one JSON object: it is nested too deeply; pack the tree again",
        ),
        (
            '{"manifest_version": ' + "1" * 5000 + "}",
            "the manifest is not of version 1; pack the tree with this treeglass",
        ),
    ],
    ids=["nested", "a long number"],
)
def test_an_invalid_manifest_is_refused_in_a_sentence(
    tmp_path: Path, sources: Path, content: str, reason: str
) -> None:
    source = sources / "trees" / "tree.json"
    source.write_text(content)

    assert _refusal(TreeFolder(tmp_path / "placed", sources), source) == (
        f"tree 'tree' cannot be copied: {reason}"
    )


def test_a_directory_is_packed_once(tmp_path: Path, make_tree: Callable[..., Path]) -> None:
    tree = make_tree({"a.txt": "x"})
    trees = TreeFolder(tmp_path / "placed", tmp_path)

    first, second = trees.place(tree, "tree"), trees.place(tree, "tree")

    assert first is second
    assert zipfile.ZipFile(trees.path(first)).namelist() == ["a.txt"]
