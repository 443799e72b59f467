"""Compressed siblings are made once, and only if they save bytes."""

import gzip
from pathlib import Path

import pytest

from build_steps.freshness import sha256_of
from build_steps.web import compress as compressing
from build_steps.web.compress import add_compressed_siblings, compress

_TEXT = b"the same words, again and again\n" * 100


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, root: Path) -> Path:
    """The folder, for this test alone, of the compressed files of a step called `test`."""
    monkeypatch.setattr(compressing, "BUILD", tmp_path / "build")
    script = root / "build_steps" / "web" / "compress.mjs"
    return tmp_path / "build" / "compressed" / f"test-{sha256_of(script)[:8]}"


@pytest.fixture
def served(tmp_path: Path) -> Path:
    """A folder to be served, with nothing in it."""
    folder = tmp_path / "served"
    folder.mkdir()
    return folder


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.usefixtures("kept")
def test_a_file_gets_each_sibling_that_is_smaller(served: Path) -> None:
    for name in ("a.js", "b.zip", "c.js.br"):
        (served / name).write_bytes(_TEXT)
    (served / "tiny.js").write_bytes(b"1")

    add_compressed_siblings(served, step="test", encodings=["br", "gzip"])

    assert _names(served) == ["a.js", "a.js.br", "a.js.gz", "b.zip", "c.js.br", "tiny.js"]
    assert gzip.decompress((served / "a.js.gz").read_bytes()) == _TEXT


@pytest.mark.usefixtures("kept")
def test_a_sibling_that_is_there_stands(served: Path) -> None:
    (served / "a.js").write_bytes(_TEXT)
    (served / "a.js.br").write_bytes(b"there already")

    add_compressed_siblings(served, step="test", encodings=["br"])

    assert (served / "a.js.br").read_bytes() == b"there already"


def test_a_content_is_compressed_once_under_any_name(served: Path, kept: Path) -> None:
    first, second = served / "first.js", served / "second.js"
    for file in (first, second):
        file.write_bytes(_TEXT)
    (result,) = compress([(first, "gzip")], step="test").values()
    result.write_bytes(b"kept from before")

    again = compress([(second, "gzip")], step="test")

    assert (again, result.parent, result.read_bytes()) == (
        {(second, "gzip"): result},
        kept,
        b"kept from before",
    )


def test_files_that_a_step_no_longer_needs_are_forgotten(served: Path, kept: Path) -> None:
    file = served / "a.js"
    file.write_bytes(_TEXT)
    compress([(file, "gzip")], step="test")
    file.write_bytes(_TEXT * 2)

    (result,) = compress([(file, "gzip")], step="test").values()

    assert list(kept.iterdir()) == [result]
