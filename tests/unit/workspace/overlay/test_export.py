import hashlib
import io
import json
import zipfile

import pytest

from treeglass.errors import ExportRefused
from treeglass.workspace.nodes import Directory, File, Link
from treeglass.workspace.overlay.changed_path import ChangedPath
from treeglass.workspace.overlay.export import archive, is_of_git, manifest, unsafe_names

CHANGED = (
    ChangedPath("/repo/new/run.sh", None, File(b"echo\n", 0o755)),
    ChangedPath("/repo/new", None, Directory()),
    ChangedPath("/repo/a.txt", File(b"old\n", 0o600), File(b"new\n", 0o600)),
    ChangedPath("/repo/gone", Link("a.txt"), None),
    ChangedPath("/repo/to", None, File(b"old\n"), "/repo/from"),
    ChangedPath("/repo/from", File(b"old\n"), None),
)


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def test_a_manifest_has_an_entry_for_each_operation() -> None:
    old, new = (
        {"sha256": _sha256(content), "size_bytes": 4, "mode": "600"}
        for content in (b"old\n", b"new\n")
    )
    moved = {"sha256": _sha256(b"old\n"), "size_bytes": 4, "mode": "644"}

    assert manifest(CHANGED, strip="/repo") == {
        "format": "treeglass-changes/1",
        "entries": [
            {
                "path": "a.txt",
                "operation": "modify",
                "kind": "file",
                "from": None,
                "before": old,
                "after": new,
            },
            {
                "path": "gone",
                "operation": "delete",
                "kind": "symlink",
                "from": None,
                "before": {"sha256": _sha256(b"a.txt"), "size_bytes": 5, "mode": "777"},
                "after": None,
            },
            {
                "path": "new",
                "operation": "create",
                "kind": "directory",
                "from": None,
                "before": None,
                "after": {"sha256": None, "size_bytes": 0, "mode": "755"},
            },
            {
                "path": "new/run.sh",
                "operation": "create",
                "kind": "file",
                "from": None,
                "before": None,
                "after": {"sha256": _sha256(b"echo\n"), "size_bytes": 5, "mode": "755"},
            },
            {
                "path": "to",
                "operation": "rename",
                "kind": "file",
                "from": "from",
                "before": moved,
                "after": moved,
            },
        ],
    }


def test_an_archive_holds_the_manifest_and_what_is_there_now() -> None:
    with zipfile.ZipFile(io.BytesIO(archive(CHANGED, strip="/repo"))) as opened:
        held = {
            each.filename: (oct(each.external_attr >> 16), opened.read(each))
            for each in opened.infolist()
        }
        times = {each.date_time for each in opened.infolist()}

    text = held.pop("treeglass-changes.json")[1]
    assert json.loads(text) == manifest(CHANGED, strip="/repo")
    assert held == {
        "a.txt": ("0o100600", b"new\n"),
        "new/": ("0o40755", b""),
        "new/run.sh": ("0o100755", b"echo\n"),
        "to": ("0o100644", b"old\n"),
    }
    assert times == {(1980, 1, 1, 0, 0, 0)}


def test_the_same_changes_give_the_same_bytes_everywhere() -> None:
    made = archive(CHANGED, strip="/repo")

    assert made == archive(reversed(CHANGED), strip="/repo")
    assert (len(made), _sha256(made)[:16]) == (2216, "cc745fbdac88d984")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (
            "b\udcff",
            (
                "an archive cannot hold the name b\\x{FF}, which is not UTF-8; leave the file out, "
                "or export a patch"
            ),
        ),
        (
            "treeglass-changes.json",
            (
                "an archive has its manifest under the name treeglass-changes.json; leave the file "
                "out, or export a patch"
            ),
        ),
    ],
)
def test_a_name_that_an_archive_cannot_hold_is_refused(name: str, sentence: str) -> None:
    with pytest.raises(ExportRefused) as raised:
        archive([ChangedPath(f"/{name}", None, File(b""))])

    assert str(raised.value) == sentence


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/etc/passwd", "it is absolute"),
        ("a/../b", "a name in it is empty, `.` or `..`"),
        ("a//b", "a name in it is empty, `.` or `..`"),
        ("a/./b", "a name in it is empty, `.` or `..`"),
        ("a\\b", "it holds a backslash, which Windows takes for a slash"),
        ("C:/a", "it begins like a drive of Windows"),
        ("a\0b", "it holds NUL"),
        ("a/\udcff", "it is not UTF-8"),
        ("nul", "Windows reserves a name in it"),
        ("src/COM1.txt", "Windows reserves a name in it"),
        ("aux /x", "Windows reserves a name in it"),
        ("a./b", "a name in it ends in a dot or a blank, which Windows drops"),
        ("a/b ", "a name in it ends in a dot or a blank, which Windows drops"),
        ("ab:c", "it holds a character that Windows does not allow"),
        ("a\nb", "it holds a character that Windows does not allow"),
    ],
)
def test_a_name_that_is_not_safe_everywhere_is_said(path: str, reason: str) -> None:
    assert unsafe_names(["fine.txt", path]) == {path: reason}


def test_usual_names_are_safe() -> None:
    paths = ["a/b.c", ".github/x", "console.py", "com10", "é", "a b", "-x", "a..b", "auxiliary/x"]

    assert unsafe_names(paths) == {}


def test_names_that_only_case_or_a_normal_form_tells_apart_are_both_unsafe() -> None:
    paths = ["Src/a", "src/b", "e\u0301", "\u00e9", "x", "X/y", "straße", "STRASSE"]

    assert unsafe_names(paths) == {
        "Src/a": "only case or Unicode's normal form tells it from 'src'",
        "src/b": "only case or Unicode's normal form tells it from 'Src'",
        "e\u0301": "only case or Unicode's normal form tells it from '\u00e9'",
        "\u00e9": "only case or Unicode's normal form tells it from 'e\u0301'",
        "x": "only case or Unicode's normal form tells it from 'X'",
        "X/y": "only case or Unicode's normal form tells it from 'x'",
        "straße": "only case or Unicode's normal form tells it from 'STRASSE'",
        "STRASSE": "only case or Unicode's normal form tells it from 'straße'",
    }


@pytest.mark.parametrize("path", [".git", ".git/config", "a/.GIT/x", ".git. /x", "GIT~1/x"])
def test_what_git_takes_for_its_own_folder_is_recognised(path: str) -> None:
    assert is_of_git(path)


def test_other_hidden_folders_are_not_gits_own() -> None:
    assert not any(map(is_of_git, [".github/x", "a.git/x", ".gitignore", "git/x"]))
