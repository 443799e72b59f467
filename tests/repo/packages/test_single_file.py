"""What `build.py bundle --single-file` writes: all that a page needs, under its own policy."""

import base64
import gzip
import hashlib
import html
import json
import re
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from build_steps import commands
from build_steps.runtime.assets import START_NAME, whole_modules
from build_steps.runtime.smaller.split import PART_ENDINGS
from build_steps.site.single_file.make import make_single_file, require_sense
from build_steps.site.single_file.page import data_block, render_page
from tests.browser.packed_trees import tar_of, zip_of
from tests.docs.blocks.code_blocks import DOCS
from tests.repo.commands.build_refusals import refusal_of

MAX_BYTES = 25_000_000
"""Limit for the file with the sample: many mail hosts accept one attachment of this size."""

_UNSOUND = (
    "is not a sound archive, so the page could not mount it: name by --tree a directory, a zip "
    "archive, or a tar archive, plain or in gzip, bzip2 or xz."
)

_TREE = {"a.txt": "a" * 1000, "b/c.txt": "c"}

_ELEMENT = re.compile(r"<(script|style)([^>]*)>(.*?)</\1>", re.DOTALL)
_ATTRIBUTE = re.compile(r' ([\w-]+)="([^"]*)"')

_PAGE = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta
      http-equiv="Content-Security-Policy"
      content="default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' a:"
    >
    <link rel="icon" href="./icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="./one.css">
    <link rel="stylesheet" href="./two.css">
    <script type="module" src="./main.js"></script>
  </head>
  <body>
    <div id="page"></div>
  </body>
</html>
"""

_MADE = """<!doctype html>
<html data-tree-name="a &lt;b&gt;" lang="en">
  <head>
    <meta charset="utf-8">
    <meta
      http-equiv="Content-Security-Policy"
      content="default-src 'none'; script-src '{script}' blob:; style-src '{style}'; connect-src a:"
    >
    <link rel="icon" href="data:image/svg+xml,%3Csvg/%3E" type="image/svg+xml">
    <meta name="generator" content="treeglass 1.2.3">
    <style>
p {{}}
q {{}}</style>
    <script type="module">run("é")</script>
  </head>
  <body>
    <div id="page"></div>
<script type="text/plain" id="x">text</script>
  </body>
</html>
"""


@pytest.fixture(scope="module")
def single_file(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    assert (dist / "site" / "sample-project.zip").is_file()
    file = tmp_path_factory.mktemp("single file") / "treeglass.html"
    make_single_file(None, file)
    return file


def _elements(file: Path) -> list[tuple[str, dict[str, str], str]]:
    text = file.read_text("utf-8")
    return [
        (tag, {name: html.unescape(value) for name, value in _ATTRIBUTE.findall(written)}, content)
        for tag, written, content in _ELEMENT.findall(text)
    ]


def _embedded(file: Path) -> dict[str, bytes]:
    embedded = {}
    for _, attributes, content in _elements(file):
        if path := attributes.get("data-path"):
            stored = base64.b64decode(content, validate=True)
            is_gzipped = attributes.get("data-encoding") == "gzip"
            embedded[path] = gzip.decompress(stored) if is_gzipped else stored
    return embedded


def _source(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


@pytest.mark.rebuild
def test_it_holds_every_file_of_the_assets_and_the_sample(single_file: Path, dist: Path) -> None:
    assets = dist / "npm" / "assets"
    files = {
        f"assets/{path.relative_to(assets).as_posix()}": path
        for path in assets.rglob("*")
        # The worker runs from the page's own script.
        if path.is_file()
        and path.name not in {"worker.js", START_NAME}
        # Nothing can arrive late in it.
        and not path.name.endswith(PART_ENDINGS)
    }
    start, modules = whole_modules(json.loads((assets / START_NAME).read_text("utf-8")))
    whole = {f"assets/{path}": file for path, file in modules.items()}
    expected = {**files, **whole, "sample-project.zip": dist / "site" / "sample-project.zip"}
    contents = {path: file.read_bytes() for path, file in expected.items()}

    assert _embedded(single_file) == {
        **contents,
        f"assets/{START_NAME}": json.dumps(start).encode(),
    }


@pytest.mark.rebuild
def test_each_file_names_its_hash_unless_start_json_does(single_file: Path) -> None:
    embedded = _embedded(single_file)
    named = {
        attributes["data-path"]: attributes["data-sha256"]
        for _, attributes, _ in _elements(single_file)
        if "data-sha256" in attributes
    }
    unnamed = sorted(path.rpartition("/")[2] for path in embedded.keys() - named.keys())

    assert unnamed == ["image.bin", "pydantic_core.wasm", "pyodide.asm.wasm"]
    assert named == {path: hashlib.sha256(embedded[path]).hexdigest() for path in named}


@pytest.mark.rebuild
def test_its_policy_names_its_own_script_and_style_and_no_folder(single_file: Path) -> None:
    text = single_file.read_text("utf-8")
    found = re.search(r'http-equiv="Content-Security-Policy"\s+content="([^"]+)"', text)
    elements = _elements(single_file)
    (style,) = [content for tag, _, content in elements if tag == "style"]
    # A block of another type is run by no browser.
    (script,) = [
        content
        for tag, about, content in elements
        if tag == "script" and about["type"] != "text/plain"
    ]

    assert found is not None
    assert found[1] == (
        f"default-src 'none'; script-src '{_source(script)}' blob: 'wasm-unsafe-eval'; "
        f"style-src '{_source(style)}'; img-src data: blob:; "
        "connect-src https: http://localhost:* http://127.0.0.1:*; worker-src blob:; "
        "base-uri 'none'; form-action 'none'"
    )


@pytest.mark.rebuild
def test_the_same_inputs_give_the_same_bytes(single_file: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.html"
    make_single_file(None, again)

    assert again.read_bytes() == single_file.read_bytes()


@pytest.mark.rebuild
def test_its_size_is_told_and_under_the_ceiling(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], single_file: Path
) -> None:
    capsys.readouterr()
    file = tmp_path / "treeglass.html"
    make_single_file(None, file)

    size_bytes = single_file.stat().st_size
    assert capsys.readouterr().out == f"  single file      {file}: {size_bytes:,} bytes\n"
    assert size_bytes <= MAX_BYTES


_PARTS = {
    "the interpreter": r"pyodide\.(?:asm\.)?(?:wasm|mjs)",
    "the start-up image": r"image\.bin|pydantic_core\.wasm",
    "the packages and the standard library": r".*\.whl|python_stdlib\.zip\.bin|pyodide-lock\.json",
    "the page": "",
}
"""The rows of the documentation's table by their beginnings, and the files that each counts."""


@pytest.mark.rebuild
def test_the_documentation_tells_its_size_and_that_of_its_parts(single_file: Path) -> None:
    page = (DOCS / "single-file.md").read_text("utf-8")
    told = re.findall(r"^\| (?:of that, )?(the [^|]+) \| ([\d.]+) MB \|$", page, re.MULTILINE)
    named = [
        (attributes.get("data-path", "").rpartition("/")[2], len(content))
        for _, attributes, content in _elements(single_file)
    ]
    sizes = {
        part: sum(size for name, size in named if re.fullmatch(pattern, name))
        for part, pattern in _PARTS.items()
    }
    sizes["the file"] = single_file.stat().st_size
    rows = {row.partition(",")[0].partition(" as ")[0]: float(size_mb) for row, size_mb in told}

    assert {part: pytest.approx(size / 1e6, abs=0.1) for part, size in sizes.items()} == rows


@pytest.mark.rebuild
def test_a_directory_is_packed_without_what_git_ignores(
    dist: Path, make_tree: Callable[[Mapping[str, str | None]], Path], tmp_path: Path
) -> None:
    assert (dist / "site").is_dir()
    tree = make_tree({".gitignore": "*.log\n", "a.log": "left out", "a.txt": "a", "empty": None})
    file = tmp_path / "chosen.html"

    make_single_file(tree, file)

    packed = tmp_path / "packed.zip"
    packed.write_bytes(_embedded(file)["sample-project.zip"])
    with zipfile.ZipFile(packed) as archive:
        assert archive.namelist() == [".gitignore", "a.txt", "empty/"]


@pytest.mark.rebuild
def test_an_archive_is_inside_byte_for_byte(dist: Path, tmp_path: Path) -> None:
    assert (dist / "site").is_dir()
    chosen = tmp_path / "some.tar"
    chosen.write_bytes(tar_of(_TREE, ""))
    file = tmp_path / "chosen.html"

    make_single_file(chosen, file)

    assert _embedded(file)["sample-project.zip"] == chosen.read_bytes()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            ["--tree", "docs"],
            "--tree and --output belong to the single file: add --single-file.",
        ),
        (
            ["--single-file", "--tree", "{folder}/none"],
            "{folder}/none does not exist: name a directory or an archive by --tree.",
        ),
        (
            ["--single-file", "--tree", "{folder}/text.md"],
            f"{{folder}}/text.md {_UNSOUND}",
        ),
        (
            ["--single-file", "--output", "{folder}"],
            "{folder} is a directory: name a file by --output.",
        ),
        (
            ["--single-file", "--output", "{folder}/none/a.html"],
            "The folder {folder}/none does not exist: make it first.",
        ),
    ],
)
def test_a_wrong_option_is_one_sentence_before_anything_is_made(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, options: list[str], sentence: str
) -> None:
    (tmp_path / "text.md").write_text("# No archive\n")

    code = commands.main(["bundle", *(option.format(folder=tmp_path) for option in options)])

    assert (code, *capsys.readouterr()) == (1, "", sentence.format(folder=tmp_path) + "\n")


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(zip_of(_TREE), id="zip"),
        pytest.param(b"#!/bin/sh\n" + zip_of(_TREE), id="zip behind a program"),
        *(pytest.param(tar_of(_TREE, form), id=f"tar {form}") for form in ("", "gz", "bz2", "xz")),
        pytest.param(bytes(1024), id="tar of nothing"),
    ],
)
def test_an_archive_is_known_by_its_content_whatever_its_name(
    tmp_path: Path, content: bytes
) -> None:
    chosen = tmp_path / "tree.txt"
    chosen.write_bytes(content)

    require_sense(chosen, tmp_path / "a.html")


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"%PDF-1.7", id="another format"),
        pytest.param(zip_of(_TREE)[:-30], id="zip cut short"),
        *(
            pytest.param(tar_of(_TREE, form)[:-9], id=f"tar {form} cut short")
            for form in ("gz", "bz2", "xz")
        ),
        pytest.param(gzip.compress(b"no tar"), id="gzip of something else"),
    ],
)
def test_a_tree_that_a_page_could_not_mount_is_refused(tmp_path: Path, content: bytes) -> None:
    chosen = tmp_path / "tree.zip"
    chosen.write_bytes(content)

    assert refusal_of(require_sense, chosen, tmp_path / "a.html") == f"{chosen} {_UNSOUND}"


@pytest.mark.rebuild
def test_a_file_that_cannot_be_written_leaves_nothing_behind(dist: Path, tmp_path: Path) -> None:
    assert (dist / "site").is_dir()
    output = tmp_path / "taken"
    output.mkdir()

    assert refusal_of(make_single_file, None, output) == (
        f"{output} cannot be written (Is a directory): name another file by --output."
    )
    assert list(tmp_path.iterdir()) == [output]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    site = tmp_path / "site"
    site.mkdir()
    for name, text in {
        "index.html": _PAGE,
        "icon.svg": "<svg/>",
        "one.css": "p {}",
        "two.css": "q {}",
    }.items():
        (site / name).write_text(text, "utf-8")
    return site


def test_a_page_has_within_what_lay_beside_it(site: Path) -> None:
    blocks = [data_block("text", id="x")]

    page = render_page(site, blocks, script='run("é")', tree_name="a <b>", version="1.2.3")

    assert page == _MADE.format(script=_source('run("é")'), style=_source("\np {}\nq {}"))


def test_a_page_with_a_neighbour_that_nobody_knows_is_refused(site: Path) -> None:
    (site / "index.html").write_text(_PAGE.replace("</body", '<img src="./new.png"></body'))

    assert refusal_of(render_page, site, [], script="", tree_name="", version="") == (
        "A single file has no neighbours, but its page names "
        "[' src=\"./new.png\"']: "
        "teach build_steps/site/single_file/page.py what to do with them."
    )


@pytest.mark.parametrize("text", ["a</SCRIPT>", "a<!--"])
def test_a_text_that_would_end_its_script_is_refused(text: str) -> None:
    assert refusal_of(data_block, text) == (
        f"A script of the single file holds {text[1:].removesuffix('>')!r}, "
        "which HTML would take for its own: write it in two parts."
    )
