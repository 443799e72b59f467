"""Files that are sought through in one buffer: only those that may match are looked at."""

import tracemalloc
from pathlib import Path

import pytest

from treeglass import Limits, Workspace
from treeglass.errors import PathNotFound
from treeglass.search import gathered_files
from treeglass.search.gathered_files import content_of, gathered
from treeglass.search.regex import LinePattern, compile_python, compile_rust
from treeglass.workspace.host import ALONE, HostFileSystem

_CONTENTS = {
    "ascii": b"a needle\n",
    "capitals": b"A NEEDLE\n",
    "empty": b"",
    "half": b"only a nee",
    "other half": b"dle is here",
    "kelvin": "\u212a".encode(),
    "latin": b"n\xe9edle",
    "two bytes": "a needle".encode("utf-16"),
    "umlaut": "grün\n".encode(),
}


def _looked_at(folder: Path, pattern: LinePattern) -> set[str]:
    """Return the names of the files that may match; the others come as their sizes."""
    for name, written in _CONTENTS.items():
        (folder / name).write_bytes(written)
    workspace = Workspace({"/repo": folder})
    paths = [workspace.resolve(f"/repo/{name}") for name in _CONTENTS]
    found = dict(zip(_CONTENTS, gathered(workspace, paths, pattern), strict=True))
    for name, read in found.items():
        whole = _CONTENTS[name]
        assert read == (whole if isinstance(read, bytes) else len(whole))
    return {name for name, read in found.items() if isinstance(read, bytes)}


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        pytest.param(compile_rust("needle"), {"ascii", "two bytes"}, id="a literal"),
        pytest.param(compile_rust("gr\u00fcn"), {"umlaut", "two bytes"}, id="beyond ASCII"),
        pytest.param(
            compile_rust("(?i)needle"),
            {"ascii", "capitals", "two bytes"},
            id="without case",
        ),
        pytest.param(
            compile_rust("(?i)kneedle"),
            {"kelvin", "two bytes"},
            id="without case, what equals a letter",
        ),
        pytest.param(
            compile_python("(?i)needle", ignore_case=False),
            {"ascii", "capitals", "kelvin", "latin", "two bytes", "umlaut"},
            id="without case in Python's dialect, every file that is not ASCII",
        ),
        pytest.param(
            compile_rust("needle", ignore_case=True, unicode=False),
            {"ascii", "capitals", "two bytes"},
            id="without case, in bytes",
        ),
        pytest.param(compile_rust("(?-u:\\xe9)edle"), {"latin", "two bytes"}, id="an invalid byte"),
        pytest.param(
            compile_python("needle", ignore_case=False),
            {"ascii", "kelvin", "latin", "two bytes", "umlaut"},
            id="in Python's dialect, every file that is not ASCII",
        ),
        pytest.param(
            compile_python("needle\\s*\\n", ignore_case=False),
            {"ascii", "kelvin", "latin", "two bytes", "umlaut"},
            id="a line feed may be another line end",
        ),
        pytest.param(compile_rust("[0-9]+"), set(_CONTENTS), id="nothing is required"),
    ],
)
def test_only_files_that_may_match_are_looked_at(
    tmp_path: Path, pattern: LinePattern, expected: set[str]
) -> None:
    assert _looked_at(tmp_path, pattern) == expected


def test_files_that_cannot_be_read_or_are_large_are_left_to_the_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gathered_files, "_FIRST_GATHERED_BYTES", 10)
    monkeypatch.setattr(gathered_files, "MAX_GATHERED_BYTES", 10)
    (tmp_path / "a").write_bytes(b"needle")
    (tmp_path / "b").write_bytes(b"needle" * 9)
    (tmp_path / "c").write_bytes(b"needle")
    workspace = Workspace({"/repo": tmp_path})
    paths = [workspace.resolve(f"/repo/{name}", strict=False) for name in "abxc"]

    found = [*gathered(workspace, paths, compile_rust("needle"))]

    assert found == [b"needle", ALONE, ALONE, b"needle"]
    assert content_of(workspace, paths[1], ALONE) == b"needle" * 9
    with pytest.raises(PathNotFound):
        content_of(workspace, paths[2], ALONE)


def test_a_buffer_holds_at_most_the_bytes_that_are_asked_for(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / name).write_bytes(name.encode() * 4)
    paths = [str(tmp_path / name) for name in "abc"]

    assert HostFileSystem([str(tmp_path)]).gather(paths, 9) == (b"aaaabbbb", [4, 4])
    assert HostFileSystem([str(tmp_path)]).gather(paths, 3) == (b"", [ALONE, ALONE, ALONE])


def test_a_file_that_has_to_be_opened_takes_no_room_for_all_that_may_be_searched(
    tmp_path: Path,
) -> None:
    (tmp_path / "a").write_bytes(b"needle\n" * 100_000)
    workspace = Workspace({"/repo": tmp_path})
    path = workspace.resolve("/repo/a")

    tracemalloc.start()
    content = content_of(workspace, path, ALONE)
    peak_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert content == b"needle\n" * 100_000
    assert peak_bytes < 3_000_000 < workspace.limits.max_searched_bytes


@pytest.mark.parametrize(
    ("max_searched_bytes", "expected"),
    [(4, b"need\xc3"), (5, b"need\xc3\xa9"), (6, b"need\xc3\xa9")],
)
def test_a_byte_more_is_read_than_may_be_searched(
    tmp_path: Path, max_searched_bytes: int, expected: bytes
) -> None:
    (tmp_path / "a").write_bytes("needé".encode())
    limits = Limits(max_searched_bytes=max_searched_bytes)
    workspace = Workspace({"/repo": tmp_path}, limits=limits)

    assert content_of(workspace, workspace.resolve("/repo/a"), ALONE) == expected
