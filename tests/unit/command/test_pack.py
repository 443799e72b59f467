import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.unit.command.conftest import RunCommand

Ran = tuple[int, str, str]


@pytest.fixture
def pack(treeglass: RunCommand, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    def run(*arguments: str | Path, cwd: Path | None = None) -> Ran:
        with monkeypatch.context() as context:
            if cwd is not None:
                context.chdir(cwd)
            return treeglass("pack", *arguments)

    return run


def process(
    *arguments: str | Path, cwd: Path | None = None, **environment: str
) -> tuple[int, bytes, bytes]:
    done = subprocess.run(
        [sys.executable, "-m", "treeglass", "pack", *arguments],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr


def names(archive: Path) -> list[str]:
    with zipfile.ZipFile(archive) as opened:
        return opened.namelist()


@pytest.fixture
def tree(make_tree: Callable[..., Path]) -> Path:
    return make_tree({"a b.md": "hello\n", "src/app.py": "x = 1\n", "latest": "-> a b.md"})


def test_a_zip_is_written_and_summed_up_in_one_line(pack: Callable[..., Ran], tree: Path) -> None:
    done = pack("tree", "-o", "tree.zip", cwd=tree.parent)

    assert done == (0, "tree.zip: 2 files, 12 bytes\n", "")
    assert names(tree.parent / "tree.zip") == ["a b.md", "latest", "src/app.py"]
    assert sorted(os.listdir(tree.parent)) == ["tree", "tree.zip"]  # noqa: PTH208  # names alone


@pytest.mark.parametrize(
    ("folder", "directory", "way"),
    [
        pytest.param(".", "tree", "tree/", id="beside"),
        pytest.param("tree", "tree", "./", id="inside"),
        pytest.param("tree/src", "tree", "../", id="below"),
        pytest.param("site/a", "docs/ü :&", "../../docs/%C3%BC%20%3A%26/", id="encoded"),
    ],
)
def test_a_manifest_says_the_way_from_itself_to_the_files(
    pack: Callable[..., Ran], tmp_path: Path, folder: str, directory: str, way: str
) -> None:
    (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    (tmp_path / directory).mkdir(parents=True, exist_ok=True)
    output = tmp_path / folder / "list.json"

    done = pack(directory, "-o", output, cwd=tmp_path)

    assert (done[0], done[2]) == (0, "")
    assert json.loads(output.read_text("utf-8"))["base_url"] == way


def test_a_manifest_says_the_base_url_that_it_is_given(
    pack: Callable[..., Ran], tree: Path
) -> None:
    done = pack(tree, "-o", "a.json", "--base-url", "https://docs.test/v1/", cwd=tree.parent)

    assert done == (0, "a.json: 2 files, 12 bytes\n", "")
    manifest = json.loads((tree.parent / "a.json").read_text("utf-8"))
    assert manifest["base_url"] == "https://docs.test/v1/"


@pytest.mark.parametrize("ending", ["zip", "json"])
def test_neither_the_output_nor_a_leftover_of_it_is_packed(
    pack: Callable[..., Ran], tree: Path, ending: str
) -> None:
    output = tree / "src" / f"out.{ending}"
    first = pack(tree, "-o", output)
    once = output.read_bytes()
    (tree / "src" / f".out.{ending}.0123abcd.part").write_text("of a run that was killed")
    second = pack(".", "-o", f"src/out.{ending}", cwd=tree)

    assert (first[0], second[0]) == (0, 0)
    assert output.read_bytes() == once


def test_each_entry_left_out_is_told_in_one_line(
    pack: Callable[..., Ran], tree: Path, make_pipe: Callable[[Path], None]
) -> None:
    (tree / "out\n\x1b[31m").symlink_to("../elsewhere")
    (tree / os.fsdecode(b"caf\xe9")).touch()
    make_pipe(tree / "pipe")

    done = pack("tree", "-o", "tree.json", cwd=tree.parent)

    assert done == (
        0,
        "tree.json: 2 files, 12 bytes\n",
        (
            "left out caf\\x{E9}: its name is not UTF-8\n"
            "left out out\\u{A}\\u{1B}[31m: it leads out of the packed directory\n"
            "left out pipe: neither a file nor a directory nor a symbolic link\n"
        ),
    )


def test_gitignore_is_followed_on_request(pack: Callable[..., Ran], tree: Path) -> None:
    (tree / ".gitignore").write_text("src/\n")
    kept = pack(tree, "-o", "all.zip", cwd=tree.parent)
    followed = pack(tree, "-o", "some.zip", "--gitignore", cwd=tree.parent)

    assert kept == (0, "all.zip: 3 files, 17 bytes\n", "")
    assert followed == (0, "some.zip: 2 files, 11 bytes\n", "")
    assert names(tree.parent / "some.zip") == [".gitignore", "a b.md", "latest"]


def test_the_same_bytes_whatever_time_zone_locale_and_folder(tree: Path) -> None:
    here, there = tree.parent / "here.zip", tree.parent / "there.zip"
    first = process(tree, "-o", here, SOURCE_DATE_EPOCH="1600000000", TZ="UTC", LC_ALL="C.UTF-8")
    second = process(
        *("..", "-o", "../../there.zip"),
        cwd=tree / "src",
        SOURCE_DATE_EPOCH="1600000000",
        TZ="Asia/Tokyo",
        LC_ALL="C",
    )

    assert first == (0, f"{here}: 2 files, 12 bytes\n".encode(), b"")
    assert second == (0, b"../../there.zip: 2 files, 12 bytes\n", b"")
    assert here.read_bytes() == there.read_bytes()
    with zipfile.ZipFile(here) as archive:
        times = {header.date_time for header in archive.infolist()}
    assert times == {(2020, 9, 13, 12, 26, 40)}


def test_store_leaves_the_files_as_they_are(pack: Callable[..., Ran], tree: Path) -> None:
    done = pack(tree, "-o", tree.parent / "a.zip", "--store")

    assert (done[0], done[2]) == (0, "")
    with zipfile.ZipFile(tree.parent / "a.zip") as archive:
        assert {header.compress_type for header in archive.infolist()} == {zipfile.ZIP_STORED}


def test_an_output_that_stands_is_replaced_and_others_may_read_it(
    pack: Callable[..., Ran], tree: Path
) -> None:
    output = tree.parent / "a.zip"
    output.write_text("old")
    umask = os.umask(0o022)
    try:
        done = pack(tree, "-o", output)
    finally:
        os.umask(umask)

    assert (done[0], oct(output.stat().st_mode)) == (0, "0o100644")
    assert names(output) == ["a b.md", "latest", "src/app.py"]


def test_a_failure_leaves_what_was_there_and_nothing_else(
    pack: Callable[..., Ran], tree: Path
) -> None:
    output = tree.parent / "a.zip"
    output.write_text("old")
    (tree / ".gitignore").write_bytes(b"#" * (1024 * 1024 + 1))

    done = pack("tree", "-o", "a.zip", "--gitignore", cwd=tree.parent)

    assert done == (
        1,
        "",
        "treeglass: .gitignore is larger than 1,048,576 bytes (max_ignore_file_bytes)\n",
    )
    assert output.read_text() == "old"
    assert sorted(os.listdir(tree.parent)) == ["a.zip", "tree"]  # noqa: PTH208  # names alone


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        pytest.param(
            ["tree", "-o", "tree.tar"],
            "argument -o/--output: 'tree.tar' must end in .zip or .json",
            id="another ending",
        ),
        pytest.param(["tree"], "the following arguments are required: -o/--output", id="no output"),
        pytest.param(
            ["nope", "-o", "a.zip"],
            "treeglass: 'nope' does not exist: name the directory to pack",
            id="a directory that is missing",
        ),
        pytest.param(
            ["tree/a b.md", "-o", "a.zip"],
            "treeglass: 'tree/a b.md' is not a directory: name the directory to pack",
            id="a file",
        ),
        pytest.param(
            ["tree", "-o", "no/such/a.zip"],
            "treeglass: the folder 'no/such' does not exist: make it first",
            id="an output folder that is missing",
        ),
        pytest.param(
            ["tree", "-o", "tree/dir.zip"],
            "treeglass: 'tree/dir.zip' is a directory: name the file to write",
            id="an output that is a directory",
        ),
        pytest.param(
            ["tree", "-o", "a.zip", "--base-url", "/x/"],
            "treeglass: --base-url is for a manifest: name an output in .json",
            id="a base URL for an archive",
        ),
        pytest.param(
            ["tree", "-o", "a.json", "--store"],
            "treeglass: --store is for an archive: name an output in .zip",
            id="a stored manifest",
        ),
        pytest.param(
            ["tree", "-o", "a.json", "--base-url", "https://docs.test/v1"],
            "argument --base-url: 'https://docs.test/v1' must be a URL that ends in a slash",
            id="a base URL without its slash",
        ),
    ],
)
def test_wrong_usage_exits_with_two_and_a_sentence(
    pack: Callable[..., Ran], tree: Path, arguments: list[str], sentence: str
) -> None:
    (tree / "dir.zip").mkdir()
    done = pack(*arguments, cwd=tree.parent)

    assert done[:2] == (2, "")
    assert done[2].splitlines()[-1].removeprefix("treeglass pack: error: ") == sentence
    assert os.listdir(tree.parent) == ["tree"]  # noqa: PTH208  # names alone


def test_a_source_date_that_is_not_a_number_is_refused(
    pack: Callable[..., Ran], tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "today")

    done = pack(tree, "-o", tree.parent / "a.zip")

    assert done == (
        2,
        "",
        "treeglass: SOURCE_DATE_EPOCH is 'today', not a number of seconds since 1970\n",
    )
