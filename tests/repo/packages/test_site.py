"""The playground and the documentation are static files that need nothing but each other."""

import re
import zipfile
from pathlib import Path

import pytest

from build_steps.freshness import sha256_of
from build_steps.site.playground import sample_files, static_files, write_sample
from build_steps.web.compress import SUFFIXES
from tests.docs.site_pages import Page

_CHUNK = re.compile(r"[\w.-]+-[A-Z0-9]{8}\.js")

_SMALL_BYTES = 400

_MAX_PROJECT_BYTES = 60_000
"""A visitor on a phone fetches it at the first visit."""


@pytest.mark.rebuild
def test_site_holds_these_and_nothing_else(dist: Path) -> None:
    built = {"assets", "docs", "main.js", "page.css", "sample.zip", "sample-project.zip"}
    of_the_package = {"THIRD-PARTY.md", "element.js", "element-views.js", "index.js"}
    copied = {name.split("/")[0] for name in static_files()}

    held = [path for path in (dist / "site").iterdir() if path.suffix not in SUFFIXES.values()]
    chunks = {path.name for path in held if _CHUNK.fullmatch(path.name)}
    assert {path.name for path in held} - chunks == built | of_the_package | copied


def test_each_chunk_is_imported_by_another_module_of_the_site(dist: Path) -> None:
    modules = {path.name: path.read_text("utf-8") for path in (dist / "site").glob("*.js")}
    imported = {name for text in modules.values() for name in _CHUNK.findall(text)}

    assert imported == {name for name in modules if _CHUNK.fullmatch(name)}


def test_texts_have_both_siblings_but_for_chunks_too_small_to_shrink(dist: Path) -> None:
    site = dist / "site"
    texts = {path for kind in ("js", "css", "html", "svg", "md") for path in site.glob(f"*.{kind}")}
    small = {text for text in texts if text.stat().st_size < _SMALL_BYTES}
    wanted = {text.with_name(text.name + suffix) for text in texts for suffix in SUFFIXES.values()}
    siblings = {path for path in site.iterdir() if path.suffix in SUFFIXES.values()}

    assert siblings <= wanted
    assert {path.with_suffix("") for path in wanted - siblings} <= small
    assert {text.name for text in small if not _CHUNK.fullmatch(text.name)} <= {"favicon.svg"}


def test_every_file_that_the_page_loads_lies_beside_it(dist: Path) -> None:
    loaded = [link.address for link in Page(dist / "site" / "index.html").loaded]

    assert "main.js" in {name.removeprefix("./") for name in loaded}
    assert [name for name in loaded if not (dist / "site" / name).is_file()] == []


def test_styles_load_nothing_from_elsewhere(dist: Path) -> None:
    styles = "\n".join(path.read_text("utf-8") for path in (dist / "site").glob("*.css"))

    assert re.findall(r"@import[^;]*|url\(\s*[\"']?(?!#|data:)[^)]*", styles) == []


@pytest.mark.parametrize("name", ["assets/worker.js", "element.js", "element-views.js", "index.js"])
def test_site_and_package_have_the_same_modules(name: str, dist: Path) -> None:
    assert sha256_of(dist / "site" / name) == sha256_of(dist / "npm" / name)


def test_sample_is_the_tracked_sources_without_the_lock_of_npm(
    dist: Path, root: Path, tracked: tuple[str, ...]
) -> None:
    with zipfile.ZipFile(dist / "site" / "sample.zip") as sample:
        names = sample.namelist()
        different = [name for name in names if sample.read(name) != (root / name).read_bytes()]

    assert names == [name for name in tracked if name != "web/package-lock.json"]
    assert different == []


def test_sample_is_the_same_bytes_each_time(dist: Path, root: Path, tmp_path: Path) -> None:
    write_sample(tmp_path / "again.zip", sample_files(), root)

    # By their hashes: pytest would compare megabytes line by line until the test has to end.
    assert sha256_of(tmp_path / "again.zip") == sha256_of(dist / "site" / "sample.zip")


def test_sample_project_is_small_and_whole(dist: Path, tracked: tuple[str, ...]) -> None:
    archive = dist / "site" / "sample-project.zip"
    with zipfile.ZipFile(archive) as sample:
        names = sample.namelist()

    assert names == [
        name.removeprefix("web/sample/") for name in tracked if name.startswith("web/sample/")
    ]
    assert archive.stat().st_size < _MAX_PROJECT_BYTES
