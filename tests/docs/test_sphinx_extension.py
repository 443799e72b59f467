"""The Sphinx extension, in a fresh environment that holds only the built wheel and its extra."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING

import pytest

from tests.docs.sites.site_environment import (
    CDN,
    PACKAGE_FILES,
    THEME_FILES,
    TREE_FILES,
    SiteEnvironment,
    copy_site,
    demos_of,
    expected,
    site_files,
    write_package,
)
from tests.docs.sites.sphinx_build import (
    build_quietly,
    set_options,
)
from treeglass import __version__

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from subprocess import CompletedProcess


@pytest.fixture(scope="module")
def environment(sphinx_environment: SiteEnvironment) -> SiteEnvironment:
    return sphinx_environment


def _new_site(folder: Path) -> Path:
    write_package(folder / "npm")
    return copy_site("sphinx", folder)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """The sources of a site, with a package of this version beside it."""
    return _new_site(tmp_path)


@pytest.fixture(scope="module")
def built(
    environment: SiteEnvironment, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], Path]:
    """The output of a builder for the site as it stands, for tests that only read it."""

    @cache
    def build_once(builder: str) -> Path:
        return build_quietly(environment, _new_site(tmp_path_factory.mktemp(builder)), builder)

    return build_once


def test_pages_hold_the_elements_with_their_answers(built: Callable[[str], Path]) -> None:
    html = built("html")

    assert demos_of(html / "index.html") == expected("sphinx-index.html")
    assert demos_of(html / "guide" / "deep" / "reading.html") == expected("sphinx-reading.html")


def test_a_page_without_a_demo_loads_no_script(built: Callable[[str], Path]) -> None:
    assert "treeglass" not in (built("html") / "guide" / "plain.html").read_text("utf-8")


def test_trees_and_the_package_lie_in_the_site_once(built: Callable[[str], Path]) -> None:
    html = built("html")

    assert set(site_files(html)) == PACKAGE_FILES | TREE_FILES | THEME_FILES
    copied = html / "_treeglass" / f"package-{__version__}"
    assert {
        name: (copied / name).read_bytes() == (html.parent / "npm" / name).read_bytes()
        for name in ("element.js", "assets/engine/core.wasm.br")
    } == {"element.js": True, "assets/engine/core.wasm.br": True}


@pytest.mark.parametrize(
    ("builder", "page", "to_root"),
    [
        ("html", "guide/deep/reading.html", "../../"),
        ("dirhtml", "guide/deep/reading/index.html", "../../../"),
        ("singlehtml", "index.html", ""),
    ],
)
def test_addresses_lead_from_every_page_to_the_files(
    built: Callable[[str], Path], builder: str, page: str, to_root: str
) -> None:
    output = built(builder)

    sources = re.findall(r'src="((?:[^"]*/)?_treeglass[^"]*)"', (output / page).read_text("utf-8"))

    assert {address.partition("_treeglass")[0] for address in sources} == {to_root}
    assert all(((output / page).parent / address).is_file() for address in sources)


@pytest.mark.parametrize(
    ("builder", "file"),
    [
        ("latex", "shop.tex"),
        ("text", "index.txt"),
        ("epub", "index.xhtml"),
        ("man", "shop.1"),
        ("texinfo", "shop.texi"),
        ("xml", "index.xml"),
        ("pseudoxml", "index.pseudoxml"),
    ],
)
def test_a_format_without_scripts_gets_the_answers_alone(
    environment: SiteEnvironment, site: Path, builder: str, file: str
) -> None:
    set_options(site, copyright="anybody", version="1", treeglass_package=None)

    output = build_quietly(environment, site, builder)
    written = (output / file).read_text("utf-8")

    assert ("Absolute path" in written, "treeglass-demo" in written) == (True, False)
    assert not (output / "_treeglass").exists()


def test_text_shows_the_call_and_its_answer(built: Callable[[str], Path]) -> None:
    assert (built("text") / "index.txt").read_text("utf-8") == expected("sphinx-index.txt")


@pytest.mark.parametrize("builder", ["gettext", "linkcheck"])
def test_builders_that_write_no_pages_pass_demos_by(
    built: Callable[[str], Path], builder: str
) -> None:
    written = {path.name: path.read_bytes() for path in built(builder).rglob("*.*")}

    assert written
    assert [name for name, content in written.items() if b"Absolute path" in content] == []


def _read_pages(built: CompletedProcess[str]) -> list[str]:
    assert built.returncode == 0, built.stderr
    return sorted(
        re.findall(r"^reading sources\.\.\. \[ *\d+%\] (\S+)", built.stdout, re.MULTILINE)
    )


def _build_aloud(environment: SiteEnvironment, site: Path) -> CompletedProcess[str]:
    return environment.run(
        *("-m", "sphinx", "-W", "-N", "-b", "html", site, site.parent / "html"), cwd=site.parent
    )


def test_only_pages_whose_tree_changed_are_read_again(
    environment: SiteEnvironment, site: Path
) -> None:
    first = _build_aloud(environment, site)
    second = _build_aloud(environment, site)
    before = set(site_files(site.parent / "html").values())
    (site / "trees" / "shop" / "src" / "discounts.py").write_text("HALF = 0.5\n")
    third = _build_aloud(environment, site)
    after = site_files(site.parent / "html")
    assert _read_pages(first) == ["guide/deep/reading", "guide/plain", "index"]
    assert _read_pages(second) == []
    assert _read_pages(third) == ["guide/deep/reading", "index"]
    assert set(after) == PACKAGE_FILES | TREE_FILES | THEME_FILES
    assert len(set(after.values()) - before) == 1
    answer = expected("sphinx-index.html").partition("</treeglass-demo>")[0]
    assert demos_of(site.parent / "html" / "index.html").startswith(
        answer.replace("  prices.py", "  discounts.py\n  prices.py")
    )


def test_a_page_is_read_again_when_a_file_of_its_manifest_changes(
    environment: SiteEnvironment, site: Path
) -> None:
    listed = {"path": "a.txt", "kind": "file", "size_bytes": 2}
    manifest = {"manifest_version": 1, "base_url": "files/", "entries": [listed]}
    (site / "trees" / "files").mkdir()
    (site / "trees" / "files" / "a.txt").write_text("a\n")
    (site / "trees" / "tree.json").write_text(json.dumps(manifest))
    (site / "index.rst").write_text(
        "The shop\n========\n\n.. treeglass-demo:: read_file\n   :tree: trees/tree.json\n\n"
        '   {"file_path": "/repo/a.txt"}\n\n.. toctree::\n\n   guide/plain\n'
        "   guide/deep/reading\n"
    )
    _build_aloud(environment, site)
    before = (site.parent / "html" / "index.html").read_text("utf-8")
    (site / "trees" / "files" / "a.txt").write_text("b\n")

    again = _build_aloud(environment, site)
    after = (site.parent / "html" / "index.html").read_text("utf-8")

    assert _read_pages(again) == ["index"]
    assert [re.findall(r"<pre data.*</pre>", page) for page in (before, after)] == [
        ["<pre data-recorded>L1: a</pre>"],
        ["<pre data-recorded>L1: b</pre>"],
    ]
    addresses = [re.findall(r'src="(_treeglass/trees/tree-.*?)"', page) for page in (before, after)]
    assert addresses[0] != addresses[1]


def test_a_tree_may_hold_the_pages(environment: SiteEnvironment, site: Path) -> None:
    project = site.parent / "project"
    project.mkdir()
    docs = site.rename(project / "docs")
    set_options(docs, treeglass_package=None)
    (docs / "index.rst").write_text(
        "The shop\n========\n\n.. treeglass-demo:: list_dir\n   :tree: ..\n\n"
        '   {"dir_path": "/repo", "depth": 1}\n\n.. toctree::\n\n   guide/plain\n'
        "   guide/deep/reading\n"
    )

    built = environment.run(
        *("-m", "sphinx", "-W", "-q", docs, site.parent / "html"), cwd=site.parent
    )

    assert (built.returncode, built.stderr) == (0, "")
    assert "<pre data-recorded>Absolute path: /repo\ndocs/</pre>" in demos_of(
        site.parent / "html" / "index.html"
    )


def test_another_version_of_treeglass_reads_the_pages_with_demos_again(
    environment: SiteEnvironment, site: Path
) -> None:
    set_options(site, treeglass_package=None)
    _build_aloud(environment, site)

    upgraded = environment.run(
        "-c",
        "import sys, treeglass; treeglass.__version__ = '9.9.9'; "
        "from sphinx.cmd.build import main; sys.exit(main(sys.argv[1:]))",
        *("-W", "-N", "-b", "html", site, site.parent / "html"),
        cwd=site.parent,
    )

    assert _read_pages(upgraded) == ["guide/deep/reading", "index"]
    assert f'src="{CDN.replace(__version__, "9.9.9")}"' in (
        site.parent / "html" / "index.html"
    ).read_text("utf-8")


def test_processes_side_by_side_write_the_same_site(
    environment: SiteEnvironment, site: Path
) -> None:
    page = (site / "guide" / "deep" / "reading.md").read_text("utf-8")
    for number in range(8):
        (site / "guide" / "deep" / f"copy-{number}.md").write_text(f"---\norphan:\n---\n{page}")
    alone = build_quietly(environment, site).rename(site.parent / "alone")

    together = build_quietly(environment, site, "html", "-j", "2", "-E")

    pages = sorted(path.relative_to(alone) for path in alone.rglob("*.html"))
    assert [(together / path).read_bytes() for path in pages] == [
        (alone / path).read_bytes() for path in pages
    ]
    assert site_files(together) == site_files(alone)
