"""A manifest answers by the files that it lists, or is refused with a sentence."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from treeglass.authoring import Demo, DemoInvalid, NotRecordable, Recording, TreeAt, record_answer

DEMO = Demo(tool="read_file", tree=TreeAt("tree.json"), arguments='{"file_path": "/repo/a.txt"}')


def refusal(manifest: Path) -> tuple[type[Exception], str]:
    with pytest.raises((DemoInvalid, NotRecordable)) as refused:
        record_answer(DEMO, manifest)
    return refused.type, str(refused.value)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        pytest.param(
            b'{"manifest_version": 2, "entries": []}',
            "the manifest is not of version 1; pack the tree with this treeglass",
            id="a manifest to come",
        ),
        pytest.param(
            b"{",
            "the manifest is not one JSON object: Expecting property name enclosed in double "
            "quotes: line 1 column 2 (char 1); pack the tree again",
            id="a broken manifest",
        ),
        pytest.param(
            b'{"manifest_version": 1}',
            "the manifest has no list of entries; pack the tree again",
            id="a manifest without entries",
        ),
        pytest.param(
            b'{"manifest_version": 1, "entries": [{"path": "a", "kind": "file"}]}',
            "entries[0] of the manifest is malformed; pack the tree again",
            id="an entry without a size",
        ),
        pytest.param(
            b'{"manifest_version": 1, "entries": [{"path": "a", "kind": "pipe"}]}',
            "entries[0] of the manifest is malformed; pack the tree again",
            id="an entry of an unknown kind",
        ),
        pytest.param(b'{"\xff"', "the manifest is not UTF-8; pack the tree again", id="no UTF-8"),
    ],
)
def test_an_invalid_manifest_is_refused(tmp_path: Path, content: bytes, sentence: str) -> None:
    tree = tmp_path / "tree.json"
    tree.write_bytes(content)

    assert refusal(tree) == (DemoInvalid, sentence)


def _manifest(folder: Path, entry: dict[str, Any], **more: Any) -> Path:
    content = {"path": "a.txt", "kind": "file", "size_bytes": 1, **entry}
    file = folder / "tree.json"
    file.write_text(json.dumps({"manifest_version": 1, "entries": [content], **more}))
    return file


@pytest.mark.parametrize(
    ("entry", "more"),
    [
        pytest.param({}, {}, id="beside the manifest"),
        pytest.param({}, {"base_url": "./?v=1#x"}, id="a query"),
        pytest.param({"url": "a%2Etxt"}, {"base_url": "nowhere/"}, id="an address of its own"),
        pytest.param({"sha256": hashlib.sha256(b"x").hexdigest()}, {}, id="a hash"),
        pytest.param({}, {"base_url": "/site/"}, id="from the root"),
        pytest.param({"path": "/a.txt"}, {}, id="an absolute path"),
    ],
)
def test_the_files_of_a_manifest_lie_where_it_says(
    tmp_path: Path, entry: dict[str, Any], more: dict[str, Any]
) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "a.txt").write_text("x")
    tree = _manifest(site, entry, **more)

    recorded = record_answer(DEMO, tree, root=tmp_path)

    assert recorded == Recording(content="L1: x", is_error=False)


@pytest.mark.parametrize(
    ("entry", "more", "kind", "reason"),
    [
        pytest.param(
            {"url": "b.txt"}, {}, DemoInvalid, "'b.txt': No such file or directory", id="missing"
        ),
        pytest.param(
            {"url": "b%2Fc"},
            {},
            DemoInvalid,
            "'b%2Fc' has a name that no file can have; correct the address",
            id="a name that no file can have",
        ),
        pytest.param(
            {"url": "link.txt"},
            {},
            DemoInvalid,
            "'link.txt' leads out of the site's root through a link; replace the link by the tree",
            id="a link out of the root",
        ),
        pytest.param(
            {"url": "."},
            {},
            DemoInvalid,
            "'.' is not a file; pack the tree again",
            id="a directory",
        ),
        pytest.param(
            {"size_bytes": 2},
            {},
            DemoInvalid,
            "it has 1 bytes, and the manifest says 2; pack the tree again",
            id="another size",
        ),
        pytest.param(
            {"sha256": "0" * 64},
            {},
            DemoInvalid,
            "its content is not what the manifest says; pack the tree again",
            id="another content",
        ),
        pytest.param(
            {},
            {"base_url": "../"},
            DemoInvalid,
            "'../a.txt' leads out of the site's root; move the tree into it, or name a folder "
            "above both",
            id="out of the root",
        ),
        pytest.param(
            {},
            {"base_url": "https://x.test/t/"},
            NotRecordable,
            "'https://x.test/t/a.txt' is not a file of the site, and nothing is fetched to record "
            "an answer",
            id="elsewhere",
        ),
    ],
)
def test_a_file_of_a_manifest_that_cannot_be_read_leaves_the_answer_unrecorded(
    tmp_path: Path,
    entry: dict[str, Any],
    more: dict[str, Any],
    kind: type[Exception],
    reason: str,
) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "link.txt").symlink_to("../a.txt")
    for folder in (tmp_path, site):
        (folder / "a.txt").write_text("x")

    assert refusal(_manifest(site, entry, **more)) == (
        kind,
        f"a.txt cannot be read: {reason}",
    )
